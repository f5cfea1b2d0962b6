#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "phases/finding_list.h"
#include "phases/gate_sections.h"
#include "phases/markdown.h"

namespace phasegate::phases {

/// Reports what stands in a gate section and is not asked for: list items without a box, tables
/// that are no evidence tables, boxes in cells (warning `passed_over`, one for each section), and
/// boxes below other headings that say gate (warning `other_gate_ignored`). `tables_read` are the
/// evidence tables. Linear in the document.
void report_passed_over(const MarkdownTree& tree, const GateSections& sections,
                        const std::set<std::size_t>& tables_read, std::string_view path,
                        const std::string& phase, FindingList& findings);

}  // namespace phasegate::phases
