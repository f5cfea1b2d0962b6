#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "phases/finding_list.h"
#include "phases/markdown.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Reads one table of a gate, `| Evidence | Type | Validator | Description |` in any order and with
/// an optional column `Required`. A table that has no Evidence column together with a Type or
/// Validator column is no typed table and adds nothing.
/// `table` is the table's index in `tree.blocks()`; `text` is what was parsed, for its raw cells.
/// Returns true if it was a typed table. Linear in the table.
bool read_typed_table(const MarkdownTree& tree, std::size_t table, std::string_view text,
                      std::string_view path, const std::string& phase,
                      std::vector<Requirement>& requirements, FindingList& findings);

}  // namespace phasegate::phases
