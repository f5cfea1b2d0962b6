#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "rag/ignore_rules.h"

namespace phasegate::rag {

/// Comparing patterns with names, and kIgnoreStepsPerByte for what is read: a few seconds, and some
/// hundred megabytes.
inline constexpr std::uint64_t kIgnoreStepsMax = 500'000'000;
inline constexpr std::uint64_t kIgnoreStepsPerByte = 64;

/// What the `.gitignore` files of a project say together. Each is read once, when it first matters.
class IgnoreFiles {
 public:
  /// `worktree`: canonical, the top of the working tree; what is judged lies below its folder
  /// `prefix` (normalised; empty: the top itself). `git_folder`: its `info/exclude` counts as well;
  /// empty: there is none.
  IgnoreFiles(std::filesystem::path worktree, std::string prefix,
              const std::filesystem::path& git_folder, std::uint64_t steps = kIgnoreStepsMax);

  enum class Verdict {
    seen,
    ignored,  ///< itself, or a folder that it lies in
    unknown,  ///< a file that would say so cannot be read, is too large, or holds too much
    not_now,  ///< one cannot be read just now
  };
  /// `path`: relative to the prefix and normalised. O(parts of the path × IgnoreRules::judge), and
  /// kIgnoreStepsMax steps in all: what would need more is unknown.
  [[nodiscard]] Verdict judge(std::string_view path, bool is_folder);

 private:
  struct Folder {
    Verdict verdict = Verdict::seen;  ///< of the folder, and so of everything in it
    IgnoreRules rules;
    const Folder* above = nullptr;
    std::size_t begin = 0;  ///< where a path goes on behind the folder's own
  };

  const Folder& folder(std::string_view path);
  std::unique_ptr<Folder> made(std::string_view path, const Folder* above);
  [[nodiscard]] Verdict judged(const Folder& in, std::string_view path, bool is_folder);
  [[nodiscard]] Verdict read_rules(const std::filesystem::path& root, std::string_view path,
                                   IgnoreRules& rules);

  std::filesystem::path root_;
  std::string prefix_;
  std::uint64_t steps_left_;
  Verdict without_ = Verdict::seen;  ///< another one if exclude_ could not be read
  IgnoreRules exclude_;
  std::map<std::string, std::unique_ptr<Folder>, std::less<>> folders_;
};

}  // namespace phasegate::rag
