#pragma once
#include <string>
#include <string_view>

/// Text for people on a terminal.
namespace phasegate::app::cli {

/// Text from documents, sessions or arguments as it may be printed: control characters, characters
/// that turn the direction of writing and those that cannot be seen are escaped, quotes and
/// backslashes stay.
[[nodiscard]] std::string shown(std::string_view text);

/// `shown`, cut to at most `bytes_max` bytes with `…`.
[[nodiscard]] std::string shown_short(std::string_view text, std::size_t bytes_max);

/// As much as a terminal is given of a message or value from a document. `--json` has all of it.
constexpr std::size_t kValueBytesShown = 2048;

/// `shown`, cut to kValueBytesShown.
[[nodiscard]] std::string shown_value(std::string_view text);

/// An argument as a POSIX shell takes it: unchanged if harmless, else in single quotes.
[[nodiscard]] std::string shell_word(std::string_view argument);

}  // namespace phasegate::app::cli
