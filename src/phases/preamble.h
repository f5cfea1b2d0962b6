#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "phases/phase_names.h"

namespace phasegate::phases {

/// What stands before the first phase of a document, as it may be shown with that phase.
struct Preamble {
  std::string text;
  std::vector<int> withheld;      ///< lines (from 1) that are left out, in their order
  std::vector<int> still_naming;  ///< lines of prose that name later phases and stay
};

/// One behind the line that begins at `at`, its end mark (LF, CRLF or CR) included.
[[nodiscard]] std::size_t line_end(std::string_view text, std::size_t at);

/// Leaves out of `text` what is an outline of later phases: list items, table rows, lines of code
/// and HTML, link definitions and lines of arrows (`plan → build`) that name one, lines of prose
/// that begin with the name of one, and links to one (the link becomes `…`). Everything else stays
/// as it is. `text` is the document from its first byte on, front matter included, which is not
/// shown. Linear in `text`.
[[nodiscard]] Preamble without_outline(std::string_view text, const PhaseNames& later);

}  // namespace phasegate::phases
