#pragma once
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace phasegate::rag {

/// A pattern with wildcards over bytes, as git's wildmatch understands it.
class WildPattern {
 public:
  /// What wildcards may stand for.
  enum class Over : std::uint8_t {
    name,  ///< one name: `**` is `*`
    path,  ///< a path: only `**` between slashes reaches over a slash
  };

  /// nullopt for a pattern that matches nothing: a set or an escape that does not end, a class of
  /// characters that nobody knows. Linear.
  [[nodiscard]] static std::optional<WildPattern> compile(std::string_view pattern, Over over);

  /// O(length of the pattern × length of the text), whatever they hold.
  [[nodiscard]] bool matches(std::string_view text, std::uint64_t& steps) const;

 private:
  enum class Kind : std::uint8_t {
    byte,
    any,
    set,
    star,
    deep_star,
    skip,  ///< takes nothing: the deep star and the slash behind it may be left out
  };
  /// One step of the pattern; bit i of the states means that the first i steps are matched.
  struct Step {
    Kind kind = Kind::byte;
    unsigned char byte = 0;
    std::size_t set = 0;  ///< its number in sets_
  };

  [[nodiscard]] bool takes(const Step& step, unsigned char c) const;

  Over over_ = Over::name;
  std::vector<Step> steps_;
  std::string end_;  ///< with which every text ends that it matches
  std::vector<std::bitset<256>> sets_;
};

/// The bytes that have a meaning in a pattern: `*`, `?`, `[`, `\`.
[[nodiscard]] bool has_wildcard(std::string_view pattern);
/// Where the first of them is, or the pattern's length.
[[nodiscard]] std::size_t plain_length(std::string_view pattern);

}  // namespace phasegate::rag
