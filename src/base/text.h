#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phasegate::base {

/// `text` in double quotes, with control characters, quotes, backslashes and bidirectional
/// overrides escaped, so that what is shown is what is there.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// True for a text in which nobody sees anything: empty, or only white space, control and format
/// characters of any script, fillers and blank patterns. Ill-formed bytes count as something.
[[nodiscard]] bool is_blank(std::string_view text);

/// JSON text in which every character that changes how the text around it is shown (C1 controls,
/// bidirectional overrides, line separators) is written as \uXXXX; it means the same.
[[nodiscard]] std::string with_visible_controls(std::string_view json_text);

/// `text` cut to at most `bytes_max` bytes at a character boundary, with `…` if anything was cut.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t bytes_max);

/// True if `text` is well-formed UTF-8 (no overlong forms, no surrogates).
[[nodiscard]] bool is_utf8(std::string_view text);
/// `text` with every ill-formed byte replaced by U+FFFD.
[[nodiscard]] std::string to_utf8(std::string_view text);
/// The largest n' ≤ n at which `text` can be cut without splitting a character.
[[nodiscard]] std::size_t utf8_boundary(std::string_view text, std::size_t n);
/// Code points in `text` (ill-formed bytes count as one each), as JSON Schema counts length.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

[[nodiscard]] std::string_view trimmed(std::string_view text);
/// ASCII letters in lower case.
[[nodiscard]] std::string lowered(std::string_view text);
/// The parts between separators; always at least one.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
[[nodiscard]] std::string joined(std::span<const std::string> parts, std::string_view separator);

/// The candidate that was probably meant by `name`: equal but for case and separators, an edit
/// distance of at most a third of its length, or the most words in common (`srd_md_created` →
/// `srd_created`). nullopt if none is near enough. O(candidates × length²), lengths capped at 64.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view name,
                                                      std::span<const std::string> candidates);

/// `1 error`, `3 errors`.
[[nodiscard]] std::string counted(std::size_t n, std::string_view singular,
                                  std::string_view plural = "");

/// A number as people write it: 3, 0.85, no trailing zeros.
[[nodiscard]] std::string number_text(double value);

}  // namespace phasegate::base
