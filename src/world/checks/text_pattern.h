#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

/// Patterns that authors write, on texts that the project holds: RE2 only, linear per look.
namespace phasegate::world::checks {

/// Bytes made ready to be looked through: without byte order mark, lines end with `\n`, ill-formed
/// bytes become U+FFFD, so that they hide nothing from a `.`.
[[nodiscard]] std::string searchable(std::string_view bytes);

class TextPattern {
 public:
  /// `^` and `$` stand for the ends of lines, `\A` and `\z` for those of the text. Errors
  /// (`invalid_pattern`): what RE2 refuses.
  [[nodiscard]] static base::Result<TextPattern> compile(std::string_view pattern);
  TextPattern(TextPattern&&) noexcept;
  TextPattern& operator=(TextPattern&&) noexcept;
  ~TextPattern();

  /// The line (from 1) on which the first match begins. `text` is searchable(…).
  [[nodiscard]] std::optional<std::size_t> first_line(std::string_view text) const;
  [[nodiscard]] bool found_in(std::string_view text) const { return first_line(text).has_value(); }
  /// How many matches there are that do not overlap; nullopt if `go_on` said no, which is asked
  /// before each.
  [[nodiscard]] std::optional<std::int64_t> count(std::string_view text,
                                                  const std::function<bool()>& go_on) const;
  /// `/pattern/`, shortened, for a sentence.
  [[nodiscard]] std::string shown() const;

 private:
  struct Compiled;
  explicit TextPattern(std::unique_ptr<const Compiled> compiled);
  std::unique_ptr<const Compiled> compiled_;
};

}  // namespace phasegate::world::checks
