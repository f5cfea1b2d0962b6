#pragma once
#include <vector>

#include "phases/markdown.h"
#include "phases/reading/phase_finder.h"
#include "phases/reading/statements.h"

namespace phasegate::phases {

/// The phases of a document that lists them only in a table: `| Phase | What | Exit |` with a
/// number in each row. Empty if there is no such table. Linear in the document's tables.
[[nodiscard]] std::vector<PhaseSpan> phases_in_rows(const std::vector<Statement>& statements,
                                                    const MarkdownTree& tree);

}  // namespace phasegate::phases
