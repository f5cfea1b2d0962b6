#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "phases/finding_list.h"
#include "phases/tasks/tasks_reading.h"

namespace phasegate::phases {

/// What a line such as `Tasks 1.1-1.3, Phase 2 complete (all of it)` names, before anybody has
/// looked what there is.
struct NamedDependency {
  bool phase = false;
  bool sure = false;  ///< "Task" or "Phase" stands before it, or it is `T001`
  std::string number;
  std::string last;  ///< of a range; empty: one
  int line = 0;
};

/// Reads what somebody wrote behind "Dependencies:". What stands in parentheses explains and names
/// nothing. Linear in `text`.
[[nodiscard]] std::vector<NamedDependency> named_dependencies(std::string_view text, int line);

/// Looks the names up in the phases that were read, fills their tasks' and their own dependencies,
/// and tells of unknown ones, of circles, and of what waits for a later phase (warnings
/// `unknown_dependency`, `dependency_cycle`, `later_dependency`). `named` is by phase and task;
/// its last entry per phase is what the phase says of itself. Linear in tasks and dependencies but
/// for ranges, which cost the tasks of the document each.
void resolve_dependencies(const std::vector<std::vector<std::vector<NamedDependency>>>& named,
                          std::string_view path, std::vector<ReadTasksPhase>& phases,
                          FindingList& findings);

}  // namespace phasegate::phases
