#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "phases/requirement_reader.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Whole lines of a text, from the first byte of the first to one behind the last one's end.
struct LineSpan {
  int line = 0;      ///< from 1
  int line_end = 0;  ///< inclusive
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const LineSpan&, const LineSpan&) = default;
};

/// What must be done before something else.
struct TaskDependency {
  bool phase = false;  ///< a whole phase, not one task
  std::string number;  ///< as the phase or task itself is numbered, where there is such a one
  int line = 0;

  friend bool operator==(const TaskDependency&, const TaskDependency&) = default;
};

struct TaskCriterion {
  std::string text;
  int line = 0;

  friend bool operator==(const TaskCriterion&, const TaskCriterion&) = default;
};

/// A task that a tasks file lists.
struct ReadTask {
  std::string number;  ///< as written: `1.1`, `T001`, `P1-T1`; its place if it has none
  std::string name;
  bool done = false;  ///< its box is ticked
  LineSpan span;      ///< with all that belongs to it
  int body_line = 0;  ///< the first line behind its heading or its item's first paragraph
  std::string estimate;
  std::string dependencies_text;  ///< as written; empty: none are given
  std::vector<TaskDependency> dependencies;
  std::vector<TaskCriterion> acceptance;
  LineSpan acceptance_span;  ///< label and list; line 0: there is none
};

/// A phase that a tasks file orders.
struct ReadTasksPhase {
  std::string number;  ///< as written; empty for a file that orders no phases
  std::string title;   ///< without number and time
  LineSpan span;       ///< from its heading to the next chapter, tasks and all
  int body_line = 0;   ///< the first line behind its heading
  std::string goal;
  std::string estimate;
  std::vector<std::string> dependencies;  ///< numbers of other phases
  std::vector<ReadTask> tasks;
  std::vector<LineSpan> own;  ///< its text outside its tasks and gate, in order
  /// What says what must be true to leave it, also in a chapter about all gates.
  std::vector<LineSpan> gates;
  ReadGate gate;  ///< read from them, else from `own`; acceptance criteria of tasks are not in it
};

/// What a `tasks.md` orders: phases, and in them tasks.
struct TasksReading {
  std::string title;  ///< of the document; empty if it has none
  std::vector<ReadTasksPhase> phases;
  std::vector<Finding> findings;
};

/// Reads the tasks file of a spec (004, dynamic phases). `path` is its name for sources and
/// findings. Understands phases as headings (`## Phase 1: X`, `### Phase 1 - X (Days 1-3)`,
/// `## Task Category 1`, `## 1. X`) or bold lines, tasks as headings (`### Task 1.1: X`,
/// `### P1-T1: X`), items (`- [ ] **Task 1.1**: X`, `- [ ] T001 [P] X`, `- [x] 1.1 X`) or, in a
/// phase that numbers none, its boxes or its numbered list. A file without phases is one phase.
/// Errors among the findings: nothing to do in it (`no_tasks`), a phase that stands twice, more
/// phases or tasks than the limits, a text that cannot be parsed to its end. `text` has LF line
/// ends (text_position.h, plain_text). Total: any bytes give a result. Nearly linear in `text`.
[[nodiscard]] TasksReading read_tasks(std::string_view text, std::string_view path);

}  // namespace phasegate::phases
