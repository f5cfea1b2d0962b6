#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "phases/finding_list.h"
#include "phases/tasks/marks.h"
#include "phases/tasks/phase_choice.h"

namespace phasegate::phases {

/// Whom lines of a tasks file belong to.
struct LineOwner {
  int phase = -1;  ///< index; -1: no phase, as overviews and risk tables
  int task = -1;   ///< index within the phase; -1: the phase itself
  bool gate = false;

  friend bool operator==(const LineOwner&, const LineOwner&) = default;
};

/// Lines from `line` up to the next stretch.
struct Stretch {
  int line = 0;
  LineOwner owner;
};

struct DividedTask {
  std::string number;
  std::string name;
  std::size_t mark = 0;
};

struct DividedPhase {
  std::string number;  ///< empty for the one phase of a document without any
  std::string title;
  std::string estimate;
  std::size_t mark = 0;  ///< meaningless without a number
  std::vector<DividedTask> tasks;
};

/// A tasks file cut into phases and tasks: every line belongs to exactly one of them or to none.
struct Division {
  std::vector<DividedPhase> phases;
  std::vector<Stretch> stretches;
};

/// Cuts a document by its marks. What stands where: a task's text goes on to the next task, to what
/// its phase says of itself (a rule, `**Phase 1 Deliverables:**`) and to its phase's gate; a gate
/// belongs to the phase that its title names, wherever it stands. Findings: tasks outside of all
/// phases, numbers twice. Linear in the marks.
[[nodiscard]] Division divide_tasks(const std::vector<TaskMark>& marks, const PhaseChoice& choice,
                                    std::string_view path, FindingList& findings);

}  // namespace phasegate::phases
