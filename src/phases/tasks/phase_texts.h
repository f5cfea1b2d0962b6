#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "phases/tasks/tasks_reading.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Templates of dynamic phases; null: a text stands as its author wrote it.
struct PhaseTemplates {
  const std::string* phase = nullptr;
  const std::string* task = nullptr;
};

/// Whose texts are made: a phase of a tasks file, as it came into the workflow.
struct TextedPhase {
  std::string_view text;  ///< of the whole tasks file
  const ReadTasksPhase& read;
  const Phase& phase;
  std::string next_phase;  ///< id of the one behind it; empty: it is the last
};

/// The text of the phase itself: what it says outside its tasks, and its gate. Nothing of it is
/// lost where a template has no place for it; nothing of another phase but its number is in it.
[[nodiscard]] std::string text_of_phase(const TextedPhase& whole, const PhaseTemplates& templates);

/// The text of one of its tasks.
[[nodiscard]] std::string text_of_task(const TextedPhase& whole, std::size_t task,
                                       const PhaseTemplates& templates);

}  // namespace phasegate::phases
