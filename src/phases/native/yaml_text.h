#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace phasegate::phases {

/// A text as a double-quoted scalar on one line. parse_native_yaml gives the same bytes back, for
/// any well-formed UTF-8.
[[nodiscard]] std::string yaml_quoted(std::string_view text);

/// A name as the key of a map: as it is where that is a text, else in quotes.
[[nodiscard]] std::string yaml_key(std::string_view name);

/// A text of several lines as the value of a key that stands `indent` columns deep: a literal block
/// where that gives the same bytes back, else a quoted scalar with one line for each of the text.
/// Begins behind the key's colon with a blank, ends with a line break. Linear.
[[nodiscard]] std::string yaml_block(std::string_view text, std::size_t indent);

/// One line of comment: no control character or line break of `text` ends it.
[[nodiscard]] std::string yaml_comment(std::string_view text, std::size_t indent);

}  // namespace phasegate::phases
