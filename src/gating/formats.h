#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace phasegate::gating {

/// The values of JSON Schema's `format` that we check: date, date-time, email, uri, uuid,
/// and our own project-path (of a file) and project-folder: a relative path that stays within the
/// project, whatever system reads it (004-18).
[[nodiscard]] const std::vector<std::string>& known_formats();
[[nodiscard]] bool is_known_format(std::string_view format);

/// True if `text` has the known format `format`. Strict about shape, no look-ups.
[[nodiscard]] bool has_format(std::string_view text, std::string_view format);

/// The known format for people: `a text in the format date`, `a relative path within the project…`.
[[nodiscard]] std::string format_in_words(std::string_view format);

/// A text that has the known format.
[[nodiscard]] std::string format_example(std::string_view format);

}  // namespace phasegate::gating
