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

/// The conditions of a table that names no types. With a column of phases and one of criteria, each
/// row speaks for its phase, wherever the table stands. In a gate (`in_gate`), each row is a
/// condition whose measure may stand in a column of its own: `| Coverage | ≥ 80 % |`. Tables of
/// verdicts, statuses and severities give nothing. Linear in the table.
[[nodiscard]] std::vector<RowRequirement> conditions_in_table(const MarkdownTree& tree,
                                                              std::size_t table, bool in_gate,
                                                              std::string_view path);

}  // namespace phasegate::phases
