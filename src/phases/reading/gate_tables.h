#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "phases/markdown.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// A requirement that a table states for a phase which it names.
struct RowRequirement {
  std::string phase;  ///< its number; empty in a table that names none
  Requirement requirement;
};

/// How much a table may be taken to say, by the place where it stands.
enum class TableUse {
  phases_only,    ///< only if it names phases and their criteria
  criteria_only,  ///< or has a column of criteria
  gate            ///< any table that does not explain: it stands in a gate
};

/// The conditions of a table that names no types. With a column of phases and one of criteria, each
/// row speaks for its phase. Otherwise each row is a condition whose measure may stand in a column
/// of its own: `| Coverage | ≥ 80 % |`. Tables of verdicts, statuses and severities give nothing,
/// or the condition of their row PASS. Linear in the table.
[[nodiscard]] std::vector<RowRequirement> conditions_in_table(const MarkdownTree& tree,
                                                              std::size_t table, TableUse use,
                                                              std::string_view path);

}  // namespace phasegate::phases
