#pragma once
#include <string_view>
#include <vector>

#include "phases/markdown.h"
#include "phases/tasks/dependencies.h"
#include "phases/tasks/division.h"
#include "phases/tasks/tasks_reading.h"

namespace phasegate::phases {

/// Fills in what phases and tasks say of themselves in labelled lines (`**Goal:** …`,
/// `Dependencies: …`, `**Acceptance Criteria**:` and the list behind it): goal, estimate, criteria.
/// Returns what they name as dependencies, by phase and task, for resolve_dependencies. Linear in
/// the document.
std::vector<std::vector<std::vector<NamedDependency>>> read_details(
    const MarkdownTree& tree, const Division& division, std::vector<ReadTasksPhase>& phases);

}  // namespace phasegate::phases
