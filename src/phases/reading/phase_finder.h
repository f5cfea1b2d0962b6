#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "phases/markdown.h"
#include "phases/reading/statements.h"

namespace phasegate::phases {

/// A phase as a stretch of a document.
struct PhaseSpan {
  std::string number;  ///< as written; may be empty
  std::string title;
  std::size_t first = 0;  ///< its statements: [first, last)
  std::size_t last = 0;
  int line = 0;
  int line_end = 0;
  bool closed = false;  ///< a tag says where it ends: behind the line `line_end`
  bool gate = false;    ///< the document calls it a gate: its heading may hold the condition
};

struct FoundPhases {
  std::vector<PhaseSpan> phases;
  /// The document is one unit of a workflow of several files: all of it belongs to its one phase.
  bool unit = false;
  /// The phases are the rows of a table; `first` and `last` are then empty ranges at the table.
  bool rows = false;
};

/// Finds the phases that a document names and orders by itself: headings and bold lines with a word
/// that counts (Phase, Stage, Part, Step, Gate, …), numbered headings below a title that speaks of
/// an order, `X → Y` headings, tags such as `<step n="1">`, and, where there is nothing else, the
/// rows of a numbered table of phases. Only the outermost level counts. A number in a sentence is
/// no phase. Linear in the document for a bounded nesting of headings.
[[nodiscard]] FoundPhases find_phases(const std::vector<Statement>& statements,
                                      const MarkdownTree& tree, std::string_view path);

}  // namespace phasegate::phases
