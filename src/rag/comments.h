#pragma once
#include <string>
#include <string_view>

namespace phasegate::rag {

/// A markdown document without its HTML comments; lines stay where they are. What stands in a
/// fence or a code span is left alone. A comment that begins a line goes on to its end, wherever
/// that is, or to the end of the document; one within a line only if it ends in its paragraph, else
/// it is text. Lines end with LF. Linear.
[[nodiscard]] std::string without_comments(std::string_view markdown);

}  // namespace phasegate::rag
