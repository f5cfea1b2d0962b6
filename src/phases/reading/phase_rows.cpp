#include "phases/reading/phase_rows.h"

#include "phases/reading/lexicon.h"
#include "phases/reading/phase_heading.h"
#include "phases/reading/table_cells.h"

namespace phasegate::phases {
namespace {

bool counts_phases(const std::string& head) {
  const std::string form = phrase_form(head);
  return form == " phase " || form == " stage " || form == " step " || form == " gate " ||
         form == " phase name " || form == " step name ";
}

/// The row's phase: `1. Root Cause`, `Phase 2`, or a number beside a name.
bool read_row(const TableCells::Row& row, std::size_t column, PhaseSpan& span) {
  const std::string& cell = row.cells[column];
  auto read = read_phase_heading(cell);
  if (!read) read = read_phase_heading("Phase " + cell);
  if (read && read->word != PhaseHeading::Word::transition && !read->number.empty()) {
    span.number = read->number;
    span.title = read->title;
  } else if (column > 0) {
    const auto number = read_phase_heading("Phase " + row.cells[0]);
    if (!number || !number->title.empty()) return false;
    span.number = number->number;
    span.title = cell;
  } else {
    return false;
  }
  if (span.title.empty() && column + 1 < row.cells.size()) span.title = row.cells[column + 1];
  span.line = span.line_end = row.line;
  return true;
}

}  // namespace

std::vector<PhaseSpan> phases_in_rows(const std::vector<Statement>& statements,
                                      const MarkdownTree& tree) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (statements[i].kind != Statement::Kind::table || statements[i].quoted) continue;
    const TableCells table = table_cells(tree, statements[i].block);
    if (table.rows.size() < 2 || table.head.size() < 2) continue;
    const std::size_t column = counts_phases(table.head[0]) ? 0 : 1;
    if (!counts_phases(table.head[column])) continue;
    std::vector<PhaseSpan> phases;
    for (const TableCells::Row& row : table.rows) {
      PhaseSpan span;
      if (!read_row(row, column, span)) break;
      span.first = span.last = i;
      phases.push_back(std::move(span));
    }
    if (phases.size() == table.rows.size()) return phases;
  }
  return {};
}

}  // namespace phasegate::phases
