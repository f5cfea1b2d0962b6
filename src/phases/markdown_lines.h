#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What is looked for in the lines of a text before it is parsed as markdown.
namespace phasegate::phases {

/// Where a document begins behind a byte order mark and YAML front matter (`---` on the first line
/// to the next `---` or `...` line).
[[nodiscard]] std::size_t content_begin(std::string_view text);

/// Where each line begins, and where the text ends.
[[nodiscard]] std::vector<std::uint32_t> line_starts_of(std::string_view text);

/// True if some line could be the dashes below the head of a table with more columns than we take:
/// md4c fills every short row up to that width, so that a few bytes can ask for millions of cells.
[[nodiscard]] bool has_wide_table(std::string_view text);

/// The text with blanks for comments, scripts, styles and `<pre>`, so that all offsets stay. What
/// stands in a fence is left alone, and so is a comment that never ends.
[[nodiscard]] std::string without_comments(std::string_view text);

}  // namespace phasegate::phases
