#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "phases/requirement_reader.h"
#include "phases/tasks/tasks_reading.h"

namespace phasegate::phases {

/// What a phase of a tasks file asks for to be left, read from `pieces` of `text`, in their order.
/// The one place that knows with which reader. Lines are the document's. Linear in the pieces.
[[nodiscard]] ReadGate read_phase_gate(std::string_view text, std::string_view path,
                                       const std::string& phase,
                                       const std::vector<LineSpan>& pieces);

/// The gate of a phase that asks for nothing itself: one required boolean for each of its tasks,
/// `task_1_1_done`. Empty for a phase without tasks.
[[nodiscard]] std::vector<Requirement> requirements_of_tasks(const ReadTasksPhase& phase,
                                                             std::string_view path);

}  // namespace phasegate::phases
