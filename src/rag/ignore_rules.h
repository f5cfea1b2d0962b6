#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// What a `.gitignore` says, as git understands it (gitignore(5)). Read by us: a repository's
/// configuration may name programs that git would run.
namespace phasegate::rag {

enum class Ignored {
  unsaid,  ///< no pattern speaks of it: a file of a folder above decides
  yes,
  no,       ///< a `!` pattern takes it back
  unknown,  ///< it would take more steps than were left
};

/// The patterns of one file. A pattern counts from the file's folder on; the last one that matches
/// decides.
class IgnoreRules {
 public:
  IgnoreRules();
  /// Total: any bytes, with or without byte order mark and CRLF, are some list of patterns. Linear.
  /// Over kIgnorePatternsMax patterns with wildcards, or kIgnorePatternBytesMax in one of them,
  /// sound() is false.
  explicit IgnoreRules(std::string_view text);
  IgnoreRules(IgnoreRules&&) noexcept;
  IgnoreRules& operator=(IgnoreRules&&) noexcept;
  ~IgnoreRules();

  /// `path` is relative to the folder of the file and normalised. Only the entry itself is judged:
  /// a caller asks for the folders on the way first, for what an ignored folder holds cannot be
  /// taken back. O(patterns with wildcards × length of pattern × length of path) at most, which is
  /// taken from `steps_left`; with too few of them patterns without wildcards decide alone, if none
  /// with one comes behind them.
  [[nodiscard]] Ignored judge(std::string_view path, bool is_folder,
                              std::uint64_t& steps_left) const;
  [[nodiscard]] bool empty() const;
  /// False if there is more in the file than is understood: nothing below its folder can then be
  /// said not to be ignored.
  [[nodiscard]] bool sound() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

inline constexpr std::size_t kIgnorePatternsMax = 2000;      ///< with wildcards, of one file
inline constexpr std::size_t kIgnorePatternBytesMax = 4096;  ///< one pattern

}  // namespace phasegate::rag
