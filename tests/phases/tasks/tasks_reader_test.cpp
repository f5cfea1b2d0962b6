#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/limits.h"
#include "phases/tasks/tasks_reading.h"
#include "tests/support/files.h"

using namespace phasegate::phases;

namespace {

std::string listed(const TasksReading& reading) {
  std::string out;
  for (const ReadTasksPhase& phase : reading.phases) {
    out += "[" + phase.number + "|" + phase.title + "]";
    for (const ReadTask& task : phase.tasks) {
      out += " " + task.number + (task.done ? "x" : "") + "=" + task.name + ";";
    }
  }
  return out;
}

std::vector<std::string> codes(const TasksReading& reading) {
  std::vector<std::string> out;
  for (const Finding& finding : reading.findings) {
    if (finding.severity != Severity::info) out.push_back(finding.code);
  }
  return out;
}

bool has(const TasksReading& reading, const std::string& code) {
  return std::any_of(reading.findings.begin(), reading.findings.end(),
                     [&](const Finding& finding) { return finding.code == code; });
}

std::string names_of(const std::vector<Requirement>& requirements) {
  std::string out;
  for (const Requirement& requirement : requirements) out += requirement.name + ";";
  return out;
}

}  // namespace

TEST_CASE("tasks file: the shapes in which phases and tasks are written") {
  struct Shape {
    const char* text;
    const char* wanted;
  };
  const Shape shapes[] = {
      {"## Phase 1: Hull\n### Task 1.1: Cut\n### Task 1.2: Caulk\n## Phase 2: Sail\n### Task 2.1: "
       "Sew\n",
       "[1|Hull] 1.1=Cut; 1.2=Caulk;[2|Sail] 2.1=Sew;"},
      {"## PHASE 1: Hull\n#### Task 1.1: Cut\n", "[1|Hull] 1.1=Cut;"},
      {"### Phase 1 - Hull (Days 1-3)\n- [ ] **Task 1.1**: Cut\n- [x] **Task 1.2**: Caulk\n",
       "[1|Hull] 1.1=Cut; 1.2x=Caulk;"},
      {"## Phase 1: Hull\n### P1-T1: Cut\n### P1-T2 – Caulk\n", "[1|Hull] P1-T1=Cut; P1-T2=Caulk;"},
      {"## Phase 1: Hull\n- [ ] T001 [P] Cut\n- [ ] T002 [P] [US1] Caulk\n",
       "[1|Hull] T001=Cut; T002=Caulk;"},
      {"## Phase 3.1: Hull\n- [ ] T001 Cut\n## Phase 3.2: Sail\n- [ ] T002 Sew\n",
       "[3.1|Hull] T001=Cut;[3.2|Sail] T002=Sew;"},
      {"## Task Category 1: Hull\n### Task 1.1: Cut\n## Task Category 2\n### Task 2.1: Sew\n",
       "[1|Hull] 1.1=Cut;[2|] 2.1=Sew;"},
      {"## 1. Hull\n- [ ] 1.1 Cut\n- [x] 1.2 Caulk\n## 2. Sail\n- [ ] 2.1 Sew\n",
       "[1|Hull] 1.1=Cut; 1.2x=Caulk;[2|Sail] 2.1=Sew;"},
      {"## Phase 1: Hull\n**Task 1.1: Cut**\n\nwords\n\n**Task 1.2: Caulk**\n",
       "[1|Hull] 1.1=Cut; 1.2=Caulk;"},
      {"## Phase 0: Yard\n- **Task 0.1**: Sweep\n## Phase 1: Hull\n- Task 1.1: Cut\n",
       "[0|Yard] 0.1=Sweep;[1|Hull] 1.1=Cut;"},
      {"## Phase 1\n1. Cut\n2. Caulk\n", "[1|] 1=Cut; 2=Caulk;"},
      {"## Phase 1: Hull\n- [ ] Cut\n- [ ] Caulk\n", "[1|Hull] 1=Cut; 2=Caulk;"},
      {"## 🛠 Phase 1: 船体 ✅\n- [ ] 切る\n", "[1|船体] 1=切る;"},
      {"# Boat\n- [ ] 1. Cut\n  - [ ] 1.1 Oak\n- [x] 2. Caulk\n", "[|Boat] 1=Cut; 2x=Caulk;"},
      {"# Boat\n### Task 1: Cut\n### Task 2: Caulk\n", "[|Boat] 1=Cut; 2=Caulk;"},
      {"Phase 1: Hull\n-------------\n- [ ] Task 1.1: Cut\n", "[1|Hull] 1.1=Cut;"},
      {"## Phase 1: Hull\n- [ ] Task 1.1: Cut\n## Phase 1 Summary\nx\n## Phase 2 Sail\n- [ ] Task "
       "2.1: Sew\n",
       "[1|Hull] 1.1=Cut;[2|Sail] 2.1=Sew;"},
      {"## Phase A: Hull\n- [ ] Task A.1: Cut\n", "[A|Hull] A.1=Cut;"},
  };
  for (const Shape& shape : shapes) {
    CAPTURE(shape.text);
    CHECK(listed(read_tasks(shape.text, "tasks.md")) == shape.wanted);
  }
}

TEST_CASE("tasks file: what only speaks of phases and tasks is none") {
  const TasksReading got = read_tasks(R"(# Tasks
## Overview
**Phase 1: Hull** (2 days)
- Task 1.1: cut

| Phase 9 | x |
|---|---|
| Phase 9: y | z |

### Phase 1: Hull
A summary.

## Time Estimates
- **Phase 1:** 2 days

## Phase 1: Hull
**Tasks:**
- Task 1.1: Cut
- Task 1.2: Caulk

### Task 1.1: Cut
```
## Phase 7: in a fence
### Task 7.1: in a fence
```
- [ ] **Task 1.1.1**: a step of it
#### Task 1.1.2: another
### Task 1.2: Caulk
> ### Task 1.3: quoted

## Dependencies
### Phase 1 → Phase 2
Phase 2 waits.
## Risks
### Risk 1: Rain
### Phase 1: rain
- [ ] look at the sky
Task 1.1 (the first) may slip.
## Phase 2: Sail
- [ ] Task 2.1: Sew
)",
                                      "tasks.md");
  CHECK(listed(got) == "[1|Hull] 1.1=Cut; 1.2=Caulk;[2|Sail] 2.1=Sew;");
  CHECK(codes(got).empty());
  CHECK(got.title == "Tasks");
}

TEST_CASE("tasks file: lines, bytes, goals, times, criteria") {
  const std::string text = R"(# Boat

## Phase 1: Hull (2 days)

**Goal:** Keep the water
out.

- [ ] **Task 1.1**: Cut
  - **Estimated Time**: 2 hours
  - **Acceptance Criteria**:
    - [ ] Twelve planks
    - [x] None is split
  - Oak.

### Task 1.2: Caulk

**Time Estimate:** 1 day
#### Acceptance Criteria
- Dry
- Black

---

**Phase 1 Deliverables:**
- a hull

## Notes
words
)";
  const TasksReading got = read_tasks(text, "tasks.md");
  REQUIRE(got.phases.size() == 1);
  const ReadTasksPhase& phase = got.phases[0];
  CHECK(phase.goal == "Keep the water out.");
  CHECK(phase.estimate == "2 days");
  CHECK(phase.span.line == 3);
  CHECK(phase.span.line_end == 26);
  CHECK(text.substr(phase.span.begin, 10) == "## Phase 1");
  CHECK(text.substr(phase.span.end, 8) == "## Notes");
  REQUIRE(phase.tasks.size() == 2);
  const ReadTask& first = phase.tasks[0];
  CHECK(first.estimate == "2 hours");
  CHECK(first.span.line == 8);
  CHECK(first.span.line_end == 14);
  REQUIRE(first.acceptance.size() == 2);
  CHECK(first.acceptance[1] == TaskCriterion{"None is split", 12});
  CHECK(first.acceptance_span.line == 10);
  CHECK(first.acceptance_span.line_end == 12);
  const ReadTask& second = phase.tasks[1];
  CHECK(second.estimate == "1 day");
  CHECK(second.span.line_end == 21);
  REQUIRE(second.acceptance.size() == 2);
  CHECK(second.acceptance[0].text == "Dry");
  REQUIRE(phase.own.size() == 2);
  CHECK(phase.own[1].line == 22);
}

TEST_CASE("tasks file: boxes of a task that names no criteria are its criteria") {
  const TasksReading got =
      read_tasks("## Phase 1: Hull\n- [ ] **Task 1.1**: Cut\n  - [ ] oak\n  - [ ] twelve\n", "t");
  REQUIRE(got.phases[0].tasks.size() == 1);
  CHECK(got.phases[0].tasks[0].acceptance.size() == 2);
  CHECK(got.phases[0].gate.requirements.empty());
}

TEST_CASE("tasks file: gates stand with their phase or in a chapter of their own") {
  const char* const kWanted[] = {
      // a marker behind the tasks
      "## Phase 1: Hull\n- [ ] **Task 1.1**: Cut\n  - [ ] crit\n\n**Validation Gate:**\n- [ ] It "
      "floats\n"
      "## Phase 2: Sail\n- [ ] **Task 2.1**: Sew\n",
      // behind tasks with headings
      "## Phase 1: Hull\n### Task 1.1: Cut\n- [ ] crit\n\n---\n\n**Phase 1 Validation Gate**:\n- [ "
      "] It "
      "floats\n## Phase 2: Sail\n### Task 2.1: Sew\n",
      "## Phase 1: Hull\n### Task 1.1: Cut\n- [ ] crit\n\n**Validation Gate:**\n- [ ] It floats\n"
      "## Phase 2: Sail\n### Task 2.1: Sew\n",
      // a heading within, beside and behind
      "## Phase 1: Hull\n### Task 1.1: Cut\n- [ ] crit\n### Phase 1 Validation Gate\n- [ ] It "
      "floats\n"
      "## Phase 2: Sail\n### Task 2.1: Sew\n",
      "## Phase 1: Hull\n### Task 1.1: Cut\n## 🛑 VALIDATION GATE: Phase 1 Checkpoint\n- [ ] It "
      "floats\n"
      "## Phase 2: Sail\n### Task 2.1: Sew\n",
      "## Phase 1: Hull\n### Task 1.1: Cut\n## Phase 2: Sail\n### Task 2.1: Sew\n## Validation "
      "Gates\n"
      "### Phase 1 Validation Gate\n- [ ] It floats\n### Phase 2 Validation Gate\nnothing\n## "
      "Risks\n- [ ] r\n",
  };
  for (const char* text : kWanted) {
    CAPTURE(text);
    const TasksReading got = read_tasks(text, "tasks.md");
    REQUIRE(got.phases.size() == 2);
    CHECK(names_of(got.phases[0].gate.requirements) == "it_floats;");
    CHECK(got.phases[1].gate.requirements.empty());
    const Requirement& asked = got.phases[0].gate.requirements[0];
    const std::string before(text, std::string(text).find("- [ ] It floats"));
    CHECK(asked.source.line == 1 + std::count(before.begin(), before.end(), '\n'));
    CHECK(asked.source.file == "tasks.md");
    CHECK(got.phases[0].tasks.size() == 1);
  }
}

TEST_CASE("tasks file: a rule right below a line makes no chapter of what the line says") {
  const TasksReading got = read_tasks(
      "## Phase 1: Hull\n### Task 1.1: Cut\nWords\nDependencies: None\n---\n### Task 1.2: Caulk\n"
      "Time: 1 hour\n---\n## Phase 2: Sail\n### Task 2.1: Sew\n",
      "t");
  CHECK(listed(got) == "[1|Hull] 1.1=Cut; 1.2=Caulk;[2|Sail] 2.1=Sew;");
  CHECK(got.phases[0].tasks[1].estimate == "1 hour");
}

TEST_CASE("tasks file: a gate that stands in a task is the task's own, unless it is the last") {
  const TasksReading got = read_tasks(
      "## Phase 1: Hull\n### Task 1.1: Cut\n\n**Validation Gate:**\n- [ ] Cut well\n### Task 1.2: "
      "Caulk\nx\n",
      "t");
  CHECK(got.phases[0].gate.requirements.empty());
  CHECK(got.phases[0].tasks.size() == 2);
}

TEST_CASE("tasks file: dependencies") {
  const TasksReading got = read_tasks(R"(## Phase 1: Hull
- [ ] **Task 1.1**: a
  - **Dependencies**: None (first task)
- [ ] **Task 1.2**: b
  - **Dependencies**: Task 1.1 (needs 7.7)
- [ ] **Task 1.3**: c
  - Depends on: 1.1, 1.2
- [ ] **Task 1.4**: d
  - **Dependencies**: Tasks 1.1-1.3
## Phase 2: Sail
- [ ] **Task 2.1**: e
  - **Dependencies**: Phase 1 complete, Task 1.4 and Python 3.11
- [ ] **Task 2.2**: f (depends on Task 2.1)
)",
                                      "t");
  const auto text_of = [](const ReadTask& task) {
    std::string out;
    for (const TaskDependency& one : task.dependencies) {
      out += (one.phase ? "phase " : "") + one.number + ";";
    }
    return out;
  };
  const char* const kWanted[] = {"", "1.1;", "1.1;1.2;", "1.1;1.2;1.3;", "phase 1;1.4;", "2.1;"};
  std::size_t at = 0;
  for (const ReadTasksPhase& phase : got.phases) {
    for (const ReadTask& task : phase.tasks) CHECK(text_of(task) == kWanted[at++]);
  }
  CHECK(at == 6);
  CHECK(codes(got).empty());
}

TEST_CASE("tasks file: dependencies that cannot be are told with their line") {
  struct Case {
    const char* code;
    const char* text;
    int line;
  };
  const Case cases[] = {
      {"unknown_dependency", "## Phase 1: H\n### Task 1.1: a\nDependencies: Task 1.9\n", 3},
      {"unknown_dependency", "## Phase 1: H\n### Task 1.1: a\nDependencies: Phase 8\n", 3},
      {"dependency_cycle",
       "## Phase 1: H\n### Task 1.1: a\nDependencies: Task 1.2\n### Task 1.2: b\nDependencies: "
       "Task 1.1\n",
       5},
      {"dependency_cycle", "## Phase 1: H\n### Task 1.1: a\nDependencies: Task 1.1\n", 3},
      {"later_dependency",
       "## Phase 1: H\n### Task 1.1: a\nDependencies: Task 2.1\n## Phase 2: S\n### Task 2.1: b\n",
       3},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    const TasksReading got = read_tasks(one.text, "t");
    REQUIRE(codes(got) == std::vector<std::string>{one.code});
    CHECK(got.findings[0].source.line == one.line);
    CHECK(got.findings[0].severity == Severity::warning);
  }
}

TEST_CASE("tasks file: what is odd is told, and nothing is renumbered") {
  const TasksReading gap = read_tasks(
      "## Phase 1: a\n- [ ] Task 1.1: x\n## Phase 4: b\n- [ ] Task 4.1: y\n- [ ] Task 1.2: z\n",
      "t");
  CHECK(codes(gap) == std::vector<std::string>{"phase_gap", "task_in_other_phase"});
  CHECK(listed(gap) == "[1|a] 1.1=x;[4|b] 4.1=y; 1.2=z;");
  CHECK(codes(read_tasks("## Phase 2: a\n- [ ] Task 2.1: x\n## Phase 1: b\n- [ ] Task 1.1: y\n",
                         "t")) == std::vector<std::string>{"phase_order"});
  CHECK(codes(read_tasks("- [ ] Task 9.1: lost\n## Phase 1: a\n- [ ] Task 1.1: x\n", "t")) ==
        std::vector<std::string>{"task_outside_phases"});
  CHECK(codes(read_tasks("## Phase 1: a\n### Task 1.1: x\n### Task 1.1: y\n", "t")) ==
        std::vector<std::string>{"duplicate_task"});
  CHECK(has(read_tasks("## Phase 1: a\n- [ ] Task 1.1: x\n## Phase 2: b\nwords\n", "t"),
            "phase_without_tasks"));
  const TasksReading twice =
      read_tasks("## Phase 1: a\n- [ ] Task 1.1: x\n## Phase 1: b\n- [ ] Task 1.2: y\n", "t");
  REQUIRE(codes(twice) == std::vector<std::string>{"duplicate_phase", "task_outside_phases"});
  CHECK(twice.findings[0].severity == Severity::error);
  CHECK(twice.findings[0].source.line == 3);
}

TEST_CASE("tasks file: nothing to do is an error") {
  for (const char* text : {"", "\n\n", "# Title\nwords\n", "---\na: b\n---\n", "\xFF\xFE\x00"}) {
    const TasksReading got = read_tasks(text, "t");
    CHECK(got.phases.empty());
    REQUIRE(has(got, "no_tasks"));
  }
}

TEST_CASE("tasks file: bounds, and hostile texts take their time linearly") {
  using namespace phasegate::base;
  std::string many;
  for (std::size_t i = 0; i <= limits::kPhasesMax; ++i) {
    many += "## Phase " + std::to_string(i) + ": x\n- [ ] Task " + std::to_string(i) + ".1: y\n";
  }
  CHECK(has(read_tasks(many, "t"), "too_many_phases"));
  std::string wide = "## Phase 1: x\n";
  for (std::size_t i = 0; i <= limits::kTasksPerPhaseMax; ++i) {
    wide += "- [ ] Task 1." + std::to_string(i) + ": y\n";
  }
  CHECK(has(read_tasks(wide, "t"), "too_many_tasks"));
  std::string chain = "## Phase 1: x\n";
  for (int i = 0; i < 3000; ++i) {
    chain += "### Task 1." + std::to_string(i) + ": y\nDependencies: Tasks 1." +
             std::to_string((i + 1) % 3000) + "\n\n---\n";
  }
  CHECK(has(read_tasks(chain, "t"), "dependency_cycle"));
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "> - [ ] ";
  CHECK(has(read_tasks(deep + "x", "t"), "no_tasks"));
  for (std::size_t cut = 0; cut < many.size() && cut < 400; ++cut) {
    (void)read_tasks(many.substr(0, cut), "t");
  }
}

TEST_CASE("real specs: what a person lists, by reading") {
  const auto root = phasegate::test::real_documents("workflows/praxis-os-specs/completed");
  if (!root) return;
  struct Wanted {
    const char* folder;
    std::vector<std::size_t> tasks;  ///< by phase
    std::vector<std::size_t> gates;  ///< boxes of their gates
  };
  const Wanted wanted[] = {
      {"2025-10-07-dynamic-workflow-session-refactor", {2, 2, 2, 5}, {5, 6, 6, 8}},
      {"2025-10-07-mcp-server-modular-redesign", {5, 4, 5, 5}, {4, 5, 4, 4}},
      {"2025-10-07-spec-creation-workflow-v1", {3, 6, 4, 5}, {0, 0, 0, 0}},
      {"2025-10-08-agent-os-upgrade-workflow", {8, 6, 7, 6, 7}, {4, 4, 4, 4, 7}},
      {"2025-10-08-playwright-browser-tools", {6, 18, 9, 6, 6}, {6, 6, 8, 5, 5}},
      {"2025-10-08-workflow-task-management-guidance", {4, 3}, {7, 7}},
      {"2025-10-10-divio-docs-restructure", {4, 2, 5, 4, 1, 3}, {7, 7, 6, 8, 5, 5}},
      {"2025-10-10-rag-content-optimization", {6, 7, 13, 5}, {7, 5, 8, 8}},
  };
  for (const Wanted& want : wanted) {
    CAPTURE(want.folder);
    const TasksReading got =
        read_tasks(phasegate::test::read_file(*root / want.folder / "tasks.md"), "tasks.md");
    REQUIRE(got.phases.size() == want.tasks.size());
    std::size_t number = 1;
    for (std::size_t p = 0; p < got.phases.size(); ++p) {
      const ReadTasksPhase& phase = got.phases[p];
      CHECK(phase.number == std::to_string(number++));
      CHECK_FALSE(phase.title.empty());
      CHECK_FALSE(phase.goal.empty());
      CHECK_FALSE(phase.estimate.empty());
      CHECK(phase.tasks.size() == want.tasks[p]);
      const auto& asked = phase.gate.requirements;
      CHECK(std::count_if(asked.begin(), asked.end(), [](const Requirement& requirement) {
              return requirement.kind == RequirementSource::checkbox;
            }) == static_cast<std::ptrdiff_t>(want.gates[p]));
      std::size_t task_number = 1;
      for (const ReadTask& task : phase.tasks) {
        CHECK(task.number == phase.number + "." + std::to_string(task_number++));
        CHECK_FALSE(task.name.empty());
        CHECK((!task.acceptance.empty() || task.number == "6.2"));
      }
    }
    for (const Finding& finding : got.findings) {
      CAPTURE(finding.message);
      CHECK(finding.severity == Severity::info);
    }
  }
}
