#include <algorithm>
#include <optional>

#include "base/limits.h"
#include "base/text.h"
#include "phases/gate_boxes.h"
#include "phases/markdown.h"
#include "phases/requirement_names.h"
#include "phases/tasks/details.h"
#include "phases/tasks/division.h"
#include "phases/tasks/phase_gate.h"
#include "phases/tasks/tasks_reading.h"

namespace phasegate::phases {
namespace {

/// First bytes of the lines, and the end of the text behind them.
std::vector<std::uint32_t> starts_of_lines(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    starts.push_back(static_cast<std::uint32_t>(at + 1));
  }
  if (starts.back() != text.size()) starts.push_back(static_cast<std::uint32_t>(text.size()));
  return starts;
}

class TasksReader {
 public:
  TasksReader(std::string_view text, std::string_view path)
      : text_(text), path_(path), tree_(parse_markdown(text)), lines_(starts_of_lines(text)) {}

  TasksReading read() {
    if (!tree_.complete()) {
      findings_.error(
          "unreadable_markdown",
          base::in_quotes(path_) +
              " could not be parsed to its end: it is too large, or a table is too wide",
          "split the file", {path_, 0, 0});
    }
    marks_ = find_marks(tree_, text_);
    find_title();
    division_ = divide_tasks(marks_, choose_phases(marks_, path_, findings_), path_, findings_);
    for (const DividedPhase& phase : division_.phases) add(phase);
    measure();
    auto named = read_details(tree_, division_, reading_.phases);
    resolve_dependencies(named, path_, reading_.phases, findings_);
    for (ReadTasksPhase& phase : reading_.phases) read_gate(phase);
    check();
    reading_.findings = findings_.take();
    return std::move(reading_);
  }

 private:
  void find_title() {
    for (const TaskMark& mark : marks_) {
      if (mark.kind != TaskMark::Kind::heading) continue;
      if (mark.level == 1) reading_.title = tree_.text(tree_.blocks()[mark.block]);
      return;
    }
  }

  void add(const DividedPhase& divided) {
    ReadTasksPhase phase;
    phase.number = divided.number;
    phase.title = divided.number.empty() ? reading_.title : divided.title;
    phase.estimate = divided.estimate;
    if (!divided.number.empty()) phase.body_line = line_behind(marks_[divided.mark].block);
    for (const DividedTask& task : divided.tasks) phase.tasks.push_back(read_task(task));
    reading_.phases.push_back(std::move(phase));
  }

  [[nodiscard]] ReadTask read_task(const DividedTask& divided) const {
    const TaskMark& mark = marks_[divided.mark];
    ReadTask task;
    task.number = divided.number;
    task.name = divided.name;
    task.done = mark.ticked;
    std::size_t head = mark.block;
    if (mark.kind == TaskMark::Kind::item) {
      const auto& blocks = tree_.blocks();
      if (head + 1 < blocks.size() && blocks[head + 1].parent == head &&
          blocks[head + 1].kind == BlockKind::paragraph) {
        ++head;
        if (task.name.empty()) task.name = name_of_item(mark.block, task.number);
      }
    }
    task.body_line = line_behind(head);
    return task;
  }

  /// What an item that is no numbered task says: `- [ ] 3. Do this` → `Do this`.
  [[nodiscard]] std::string name_of_item(std::size_t item, std::string& number) const {
    const auto boxed = box_sentence(tree_, item);
    std::string said = boxed ? *boxed : plain_sentence(tree_.text(tree_.blocks()[item + 1]));
    const auto digits = std::min(said.find_first_not_of("0123456789"), said.size());
    if (digits > 0 && digits <= 4 && digits < said.size() &&
        (said[digits] == '.' || said[digits] == ')')) {
      number = said.substr(0, digits);
      said = said.substr(digits + 1);
    }
    return std::string(without_ornaments(said));
  }

  [[nodiscard]] int line_behind(std::size_t block) const {
    return tree_.line_end(tree_.blocks()[block]) + 1;
  }

  [[nodiscard]] int last_line() const { return static_cast<int>(lines_.size()) - 1; }

  [[nodiscard]] LineSpan span(int line, int line_end) const {
    const auto at = [&](int index) {
      return lines_[static_cast<std::size_t>(std::clamp(index, 0, last_line()))];
    };
    return {line, line_end, at(line - 1), at(line_end)};
  }

  /// Gives every phase and task its lines.
  void measure() {
    const auto& stretches = division_.stretches;
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const LineOwner& owner = stretches[i].owner;
      const int end = (i + 1 < stretches.size() ? stretches[i + 1].line - 1 : last_line());
      if (owner.phase < 0 || end < stretches[i].line) continue;
      const LineSpan lines = span(stretches[i].line, end);
      ReadTasksPhase& phase = reading_.phases[static_cast<std::size_t>(owner.phase)];
      if (owner.task >= 0) {
        phase.tasks[static_cast<std::size_t>(owner.task)].span = lines;
      } else {
        auto& pieces = owner.gate ? phase.gates : phase.own;
        if (!pieces.empty() && pieces.back().end == lines.begin) {
          pieces.back().end = lines.end;
          pieces.back().line_end = lines.line_end;
        } else {
          pieces.push_back(lines);
        }
      }
      // A gate in a later chapter belongs to the phase, yet is no part of its stretch.
      if (phase.span.line == 0) {
        phase.span = lines;
      } else if (phase.span.end == lines.begin) {
        phase.span.end = lines.end;
        phase.span.line_end = lines.line_end;
      }
    }
  }

  void read_gate(ReadTasksPhase& phase) {
    // Where there is a gate, what stands outside of it is no part of it.
    const std::vector<LineSpan>& pieces = phase.gates.empty() ? phase.own : phase.gates;
    phase.gate = read_phase_gate(text_, path_, phase.number, pieces);
    if (phase.gates.empty() || phase.gate.human_approval) return;
    // A person's approval is asked for wherever the phase says so.
    ReadGate own = read_phase_gate(text_, path_, phase.number, phase.own);
    if (!own.human_approval) return;
    phase.gate.human_approval = true;
    phase.gate.human_approval_source = own.human_approval_source;
    for (Finding& finding : own.findings) {
      if (finding.code == "human_approval_assumed") {
        phase.gate.findings.push_back(std::move(finding));
      }
    }
  }

  void check() {
    std::size_t tasks = 0;
    for (ReadTasksPhase& phase : reading_.phases) {
      tasks += phase.tasks.size();
      if (phase.tasks.size() > base::limits::kTasksPerPhaseMax) {
        findings_.error("too_many_tasks",
                        "phase " + phase.number + " has " + std::to_string(phase.tasks.size()) +
                            " tasks, the limit is " +
                            std::to_string(base::limits::kTasksPerPhaseMax),
                        "split the phase", {path_, phase.span.line, 0}, phase.number);
      }
    }
    if (reading_.phases.size() > base::limits::kPhasesMax) {
      findings_.error("too_many_phases",
                      "there are " + std::to_string(reading_.phases.size()) +
                          " phases, the limit is " + std::to_string(base::limits::kPhasesMax),
                      "split the spec", {path_, 0, 0});
    }
    if (reading_.phases.size() == 1 && reading_.phases.front().number.empty()) {
      if (tasks == 0) {
        reading_.phases.clear();
        findings_.error("no_tasks", base::in_quotes(path_) + " lists no phases and no tasks",
                        "write `## Phase 1: Title` and below it `- [ ] **Task 1.1**: Name`",
                        {path_, 0, 0});
      } else {
        findings_.info("no_phases", "the file orders no phases; its tasks are one phase", "",
                       {path_, 1, 0});
      }
    }
    check_numbers();
    for (const ReadTasksPhase& phase : reading_.phases) check_tasks(phase);
  }

  void check_numbers() {
    std::optional<long> before;
    for (const ReadTasksPhase& phase : reading_.phases) {
      const bool plain = !phase.number.empty() && phase.number.size() < 9 &&
                         std::all_of(
                             phase.number.begin(), phase.number.end(),
                             [](char c) { return c >= '0' && c <= '9'; });
      if (!plain) {
        before.reset();
        continue;
      }
      const long number = std::stol(phase.number);
      const Source source{path_, phase.span.line, 0};
      if (before && number < *before) {
        findings_.warning("phase_order",
                          "phase " + phase.number + " stands behind phase " +
                              std::to_string(*before) +
                              "; phases are performed in the order of the file",
                          "sort the phases if that is not meant", source, phase.number);
      } else if (before && number > *before + 1) {
        findings_.warning("phase_gap",
                          "phase " + phase.number + " follows phase " + std::to_string(*before) +
                              "; what lies between is missing, and nothing is renumbered",
                          "check that no phase is lost", source, phase.number);
      }
      before = number;
    }
  }

  /// A task's place says which phase it belongs to, whatever its number says.
  void check_tasks(const ReadTasksPhase& phase) {
    if (phase.number.empty()) return;
    if (phase.tasks.empty()) {
      findings_.warning("phase_without_tasks", "phase " + phase.number + " lists no tasks",
                        "list its tasks", {path_, phase.span.line, 0}, phase.number);
    }
    for (const ReadTask& task : phase.tasks) {
      const auto dot = task.number.rfind('.');
      if (dot == std::string::npos || task.number.substr(0, dot) == phase.number) continue;
      const std::string other = task.number.substr(0, dot);
      const bool known =
          std::any_of(reading_.phases.begin(), reading_.phases.end(),
                      [&](const ReadTasksPhase& candidate) { return candidate.number == other; });
      if (!known) continue;
      findings_.warning(
          "task_in_other_phase",
          "task " + task.number + " stands in phase " + phase.number + " and is asked for there",
          "move it, or correct its number", {path_, task.span.line, 0}, phase.number);
    }
  }

  std::string_view text_;
  std::string path_;
  MarkdownTree tree_;
  std::vector<std::uint32_t> lines_;
  std::vector<TaskMark> marks_;
  Division division_;
  TasksReading reading_;
  FindingList findings_;
};

}  // namespace

TasksReading read_tasks(std::string_view text, std::string_view path) {
  return TasksReader(text, path).read();
}

}  // namespace phasegate::phases
