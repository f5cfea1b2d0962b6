#include "phases/tasks/division.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace phasegate::phases {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// One walk over the marks. Phases without numbered tasks are only known behind it, so that a
/// second walk, told of them, takes their boxes or numbered items for tasks.
class Walk {
 public:
  Walk(const std::vector<TaskMark>& marks, const PhaseChoice& choice,
       const std::vector<char>& loose)
      : marks_(marks), choice_(choice), loose_(loose) {
    for (const TaskMark& mark : marks) {
      if (mark.heads() && mark.task && mark.task->named) headed_.insert(mark.task->number);
    }
  }

  void run() {
    if (std::find(choice_.begins.begin(), choice_.begins.end(), true) == choice_.begins.end()) {
      division.phases.emplace_back();
      phase_ = 0;
      level_ = 0;
    }
    own({.phase = phase_}, 1);
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      const TaskMark& mark = marks_[i];
      if (item_end_ != 0 && mark.block >= item_end_) leave_item(mark);
      switch (mark.kind) {
        case TaskMark::Kind::heading:
          heading(i);
          break;
        case TaskMark::Kind::paragraph:
          paragraph(i);
          break;
        case TaskMark::Kind::rule:
          if (task_ >= 0 && item_end_ == 0) leave_task(mark.line);
          break;
        case TaskMark::Kind::item:
          item(i);
          break;
        case TaskMark::Kind::other:
          break;
      }
    }
  }

  Division division;
  std::vector<std::size_t> outside;  ///< marks of tasks that stand in no phase
  std::vector<std::size_t> twice;    ///< marks of tasks whose number their phase has already
  std::vector<char> found_loose;     ///< by phase: 'b' it has boxes, 'n' a numbered list

 private:
  void own(LineOwner owner, int line) {
    auto& stretches = division.stretches;
    if (!stretches.empty() && stretches.back().line == line) stretches.pop_back();
    stretches.push_back({line, owner});
  }

  void leave_task(int line) {
    task_ = -1;
    task_level_ = 0;
    item_end_ = 0;
    own({phase_, -1, gate_}, line);
  }

  void leave_item(const TaskMark& mark) { leave_task(mark.line); }

  void begin_phase(std::size_t i) {
    const TaskMark& mark = marks_[i];
    division.phases.push_back({mark.phase->number, mark.phase->title, mark.phase->estimate, i, {}});
    phase_ = static_cast<int>(division.phases.size()) - 1;
    level_ = mark.level;
    task_ = -1;
    item_end_ = 0;
    gate_ = false;
    gate_level_ = 0;
    aside_ = false;
    own({.phase = phase_}, mark.line);
  }

  void leave_phase(int line) {
    phase_ = -1;
    task_ = -1;
    item_end_ = 0;
    gate_ = false;
    gate_level_ = 0;
    own({}, line);
  }

  [[nodiscard]] DividedPhase& phase() { return division.phases[static_cast<std::size_t>(phase_)]; }

  /// False if the number is taken: then it is no task of its own.
  bool begin_task(std::size_t i, std::string number, std::string name) {
    const TaskMark& mark = marks_[i];
    auto& taken = numbers();
    if (!taken.insert(number).second) {
      twice.push_back(i);
      return false;
    }
    phase().tasks.push_back({std::move(number), std::move(name), i});
    task_ = static_cast<int>(phase().tasks.size()) - 1;
    task_level_ = mark.kind == TaskMark::Kind::item ? 0 : mark.level;
    item_end_ = mark.kind == TaskMark::Kind::item ? mark.after : 0;
    gate_ = false;
    gate_level_ = 0;
    own({phase_, task_, false}, mark.line);
    return true;
  }

  std::set<std::string>& numbers() {
    numbers_.resize(division.phases.size());
    return numbers_[static_cast<std::size_t>(phase_)];
  }

  /// The phase that a gate's title names, if it is one of those that have begun.
  [[nodiscard]] int named_phase(const TaskMark& mark) const {
    if (!mark.names) return -1;
    for (std::size_t i = division.phases.size(); i-- > 0;) {
      if (division.phases[i].number == *mark.names) return static_cast<int>(i);
    }
    return -1;
  }

  void begin_gate(int owner, const TaskMark& mark) {
    phase_ = owner;
    task_ = -1;
    item_end_ = 0;
    gate_ = true;
    gate_level_ = mark.kind == TaskMark::Kind::heading ? mark.level : 0;
    own({owner, -1, true}, mark.line);
  }

  [[nodiscard]] bool is_task_heading(const TaskMark& mark) {
    if (!mark.task || phase_ < 0) return false;
    if (mark.task->named) return true;
    const std::string& number = phase().number;
    return !number.empty() && mark.task->number.starts_with(number + ".");
  }

  void heading(std::size_t i) {
    const TaskMark& mark = marks_[i];
    aside_ = mark.aside;
    const bool nested = phase_ >= 0 && !visiting_ && mark.level > level_;
    if (choice_.begins[i] || (choice_.may_begin[i] && !nested)) {
      visiting_ = false;
      return begin_phase(i);
    }
    if (mark.gate) return gate_heading(i, nested);
    // A part of a gate's chapter stays with it.
    if (gate_ && gate_level_ > 0 && mark.level > gate_level_ && !is_task_heading(mark)) return;
    if (visiting_) {
      // The gate of another phase ends here; its phase does not go on.
      visiting_ = false;
      return leave_phase(mark.line);
    }
    if (phase_ < 0) {
      if (mark.task && mark.task->named) outside.push_back(i);
      return;
    }
    if (is_task_heading(mark)) {
      const bool part = task_ >= 0 && task_level_ > 0 && mark.level > task_level_ &&
                        mark.task->number.starts_with(
                            phase().tasks[static_cast<std::size_t>(task_)].number + ".");
      if (part) return;
      if (!begin_task(i, mark.task->number, mark.task->name) && task_ < 0) {
        own({phase_, -1, false}, mark.line);
      }
      return;
    }
    if (!nested) return leave_phase(mark.line);
    if (task_ >= 0 && task_level_ > 0 && mark.level > task_level_) return;
    gate_ = false;
    gate_level_ = 0;
    leave_task(mark.line);
  }

  void gate_heading(std::size_t i, bool nested) {
    const TaskMark& mark = marks_[i];
    const int named = named_phase(mark);
    if (named >= 0) {
      visiting_ = visiting_ || named != phase_ || !has_begun_last(named);
      return begin_gate(named, mark);
    }
    if (phase_ < 0 || visiting_) {
      visiting_ = false;
      return leave_phase(mark.line);
    }
    if (mark.gates && !nested && heads_chapter(i)) return leave_phase(mark.line);
    if (task_ >= 0 && task_level_ > 0 && mark.level > task_level_ && !is_last_task(i)) return;
    begin_gate(phase_, mark);
  }

  /// True if the phase is the one whose text is being read, not one met again in a later chapter.
  [[nodiscard]] bool has_begun_last(int phase) const {
    return phase == static_cast<int>(division.phases.size()) - 1;
  }

  /// True if the headings below this one name phases: `## Validation Gates`, `### Phase 1 Gate`.
  [[nodiscard]] bool heads_chapter(std::size_t i) const {
    for (std::size_t k = i + 1; k < marks_.size(); ++k) {
      if (marks_[k].kind != TaskMark::Kind::heading) continue;
      return marks_[k].level > marks_[i].level && marks_[k].gate && marks_[k].names;
    }
    return false;
  }

  /// True if no task of this phase follows.
  [[nodiscard]] bool is_last_task(std::size_t i) {
    if (next_.empty()) {
      next_.assign(marks_.size() + 1, kNone);
      for (std::size_t k = marks_.size(); k-- > 0;) {
        const bool counts = choice_.begins[k] || (marks_[k].heads() && marks_[k].task);
        next_[k] = counts ? k : next_[k + 1];
      }
    }
    const std::size_t next = next_[i + 1];
    return next == kNone || choice_.begins[next];
  }

  void paragraph(std::size_t i) {
    const TaskMark& mark = marks_[i];
    if (choice_.begins[i]) return begin_phase(i);
    if (!mark.label && !mark.gate) return;
    if (phase_ < 0) return;
    aside_ = mark.aside;
    const bool in_task = task_ >= 0 && item_end_ == 0;
    const bool names_ours = mark.names && *mark.names == phase().number;
    if (mark.gate) {
      const bool ours = mark.names ? names_ours : !in_task || is_last_task(i);
      if (!ours) return;
      const int level = gate_level_;
      begin_gate(phase_, mark);
      gate_level_ = level;
      return;
    }
    if (mark.task && mark.level == TaskMark::kParagraphLevel &&
        (!in_task || task_level_ >= mark.level)) {
      (void)begin_task(i, mark.task->number, mark.task->name);
      return;
    }
    const bool of_phase = mark.phase && mark.phase->family == PhaseFamily::phase &&
                          mark.phase->number == phase().number;
    if (in_task && of_phase) return leave_task(mark.line);
    // A label behind a gate begins something else, unless a heading says that all is the gate's.
    if (!in_task && gate_ && gate_level_ == 0 && mark.level == TaskMark::kParagraphLevel) {
      gate_ = false;
      own({phase_, -1, false}, mark.line);
    }
  }

  void item(std::size_t i) {
    const TaskMark& mark = marks_[i];
    if (item_end_ != 0 || gate_) return;
    if (phase_ < 0) {
      if (mark.task && mark.task->named && mark.boxed) outside.push_back(i);
      return;
    }
    if (task_ >= 0) return;  // a step of a task that has a heading
    if (mark.block < box_end_) return;
    if (mark.boxed && !mark.task) box_end_ = mark.after;  // numbered boxes within it are its steps
    if (mark.task && headed_.contains(mark.task->number)) return;  // a list of what follows
    if (mark.task) {
      (void)begin_task(i, mark.task->number, mark.task->name);
      return;
    }
    if (!mark.top || aside_) return;
    found_loose.resize(division.phases.size(), 0);
    char& found = found_loose[static_cast<std::size_t>(phase_)];
    if (mark.boxed) {
      found = 'b';
    } else if (mark.ordinal && found == 0) {
      found = 'n';
    }
    const auto wanted = static_cast<std::size_t>(phase_) < loose_.size()
                            ? loose_[static_cast<std::size_t>(phase_)]
                            : '\0';
    if ((wanted == 'b' && mark.boxed) || (wanted == 'n' && mark.ordinal)) {
      std::string number = mark.ordinal.value_or(std::to_string(phase().tasks.size() + 1));
      while (numbers().contains(number)) number += ".1";
      (void)begin_task(i, std::move(number), "");
    }
  }

  const std::vector<TaskMark>& marks_;
  const PhaseChoice& choice_;
  const std::vector<char>& loose_;
  std::set<std::string> headed_;  ///< numbers of tasks that have a heading somewhere
  std::vector<std::set<std::string>> numbers_;
  std::vector<std::size_t> next_;
  int phase_ = -1;
  int level_ = 0;
  int task_ = -1;
  int task_level_ = 0;        ///< of the heading of the open task; 0: it is an item
  std::size_t item_end_ = 0;  ///< first block behind the open task's item; 0: it is none
  std::size_t box_end_ = 0;   ///< first block behind the last box that is no numbered task
  bool gate_ = false;
  int gate_level_ = 0;     ///< of the heading of the open gate; 0: a marker began it
  bool visiting_ = false;  ///< in a later chapter's part about a phase
  bool aside_ = false;
};

}  // namespace

Division divide_tasks(const std::vector<TaskMark>& marks, const PhaseChoice& choice,
                      std::string_view path, FindingList& findings) {
  const std::vector<char> none;
  Walk first(marks, choice, none);
  first.run();
  first.found_loose.resize(first.division.phases.size(), 0);
  bool any_loose = false;
  for (std::size_t i = 0; i < first.division.phases.size(); ++i) {
    if (!first.division.phases[i].tasks.empty()) first.found_loose[i] = 0;
    any_loose = any_loose || first.found_loose[i] != 0;
  }
  Walk second(marks, choice, first.found_loose);
  if (any_loose) second.run();
  Walk& walk = any_loose ? second : first;

  std::set<std::string> known;
  for (const DividedPhase& phase : walk.division.phases) {
    for (const DividedTask& task : phase.tasks) known.insert(task.number);
  }
  for (const std::size_t i : walk.outside) {
    const std::string& number = marks[i].task->number;
    if (known.contains(number)) continue;
    findings.warning(
        "task_outside_phases", "task " + number + " stands in no phase and is not asked for",
        "move it below the heading of its phase", {std::string(path), marks[i].line, 0});
  }
  for (const std::size_t i : walk.twice) {
    findings.warning(
        "duplicate_task",
        "task " + marks[i].task->number +
            " stands twice in its phase; the second is taken as text of what precedes it",
        "give each task its own number", {std::string(path), marks[i].line, 0});
  }
  return std::move(walk.division);
}

}  // namespace phasegate::phases
