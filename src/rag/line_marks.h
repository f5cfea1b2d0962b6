#pragma once
#include <cstddef>
#include <string_view>

/// What single lines of markdown are, for readers that go through a document line by line. A line
/// may carry its end (LF or CR LF) or not.
namespace phasegate::rag {

struct Fence {
  char mark = '\0';  ///< '`' or '~'; '\0' is no fence
  std::size_t length = 0;

  /// True if `closing`, found by fence_of(…, true), ends a block that this one has begun.
  [[nodiscard]] bool closed_by(const Fence& closing) const {
    return mark != '\0' && closing.mark == mark && closing.length >= length;
  }
};

/// The line without its end, its indentation and the marks of a quotation around it.
[[nodiscard]] std::string_view content_of(std::string_view line);

/// True for a line of nothing but white space.
[[nodiscard]] bool is_blank_line(std::string_view line);

/// True for a line that stands in a quotation.
[[nodiscard]] bool is_quoted(std::string_view line);

/// The fence that a line's content begins or (`closing`) could end. Indented more than CommonMark
/// allows at the top level, it may still be one within a list, and is taken for one.
[[nodiscard]] Fence fence_of(std::string_view content, bool closing);

/// 1 to 6 for a heading that begins with so many `#`; 0 for any other line.
[[nodiscard]] std::size_t heading_level(std::string_view line);

/// '=' or '-' for a line of nothing else, which makes the text above it a heading; else '\0'.
[[nodiscard]] char underline_mark(std::string_view line);

/// The line that begins at `begin`, with its end.
[[nodiscard]] std::string_view line_at(std::string_view text, std::size_t begin);

}  // namespace phasegate::rag
