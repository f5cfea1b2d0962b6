#include "phases/tasks/dynamic_phases.h"

#include <string>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/limits.h"
#include "phases/tasks/templates.h"
#include "phases/workflow_json.h"
#include "tests/phases/folder_fixture.h"
#include "tests/support/files.h"

using namespace phasegate::phases;
using phasegate::test::findings_of;
using phasegate::test::fixture;
using phasegate::test::has;
using phasegate::test::read_file;
using phasegate::test::read_folder;

namespace {

LoadedWorkflow shipyard() {
  return read_folder(fixture("shipyard/workflows/shipyard"));
}

LoadedWorkflow boat() {
  return with_dynamic_phases(shipyard(), read_file(fixture("shipyard/specs/boat/tasks.md")),
                             "specs/boat/tasks.md");
}

const std::string& text_of(const LoadedWorkflow& loaded, const std::string& path) {
  const auto found = loaded.workflow.documents.find(path);
  REQUIRE_MESSAGE(found != loaded.workflow.documents.end(), path);
  return loaded.blobs.at(found->second.hash);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string names_of(const Gate& gate) {
  std::string out;
  for (const Requirement& requirement : gate.requirements) out += requirement.name + ";";
  return out;
}

/// A workflow of one listed phase whose others come from a spec, without templates.
LoadedWorkflow plain() {
  return phasegate::test::loaded(
      {{"metadata.json",
        phasegate::test::metadata(R"("dynamic_config":{"source_type":"spec_tasks_md"},)")},
       {"phases/0/phase.md", phasegate::test::kGate}});
}

}  // namespace

TEST_CASE("dynamic phases: metadata says where they come from, and what a start must give") {
  const LoadedWorkflow got = shipyard();
  CHECK(got.startable());
  REQUIRE(got.workflow.dynamic.has_value());
  CHECK(got.workflow.dynamic->input == "spec_path");
  CHECK(got.workflow.dynamic->file == "tasks.md");
  CHECK(got.workflow.dynamic->phase_template == "phases/dynamic/phase-template.md");
  CHECK(got.workflow.dynamic->task_template == "phases/dynamic/task-template.md");
  CHECK(got.workflow.dynamic_reason.empty());
  REQUIRE(got.workflow.input.size() == 1);
  CHECK(got.workflow.input[0].name == "spec_path");
  CHECK(got.workflow.input[0].required);
  CHECK(got.workflow.documents.at("phases/dynamic/task-template.md").withheld);
  CHECK(has(got, "dynamic_phases"));
  CHECK_FALSE(has(got, "missing_template"));
  const auto again = workflow_from_json(to_json(got.workflow));
  REQUIRE(again.ok());
  CHECK(*again == got.workflow);
}

TEST_CASE(
    "dynamic phases: a configuration that is not understood makes the run wait, with a finding") {
  for (const char* config :
       {R"({"source_type":"jira"})", R"({})", R"({"source_type":"spec_tasks_md","parser":"mine"})",
        R"({"source_type":"spec_tasks_md","source_path_key":"../x"})",
        R"({"source_type":"spec_tasks_md","source_path_key":"target_file"})"}) {
    CAPTURE(config);
    const LoadedWorkflow got = phasegate::test::loaded(
        {{"metadata.json",
          phasegate::test::metadata(R"("dynamic_config":)" + std::string(config) + ",")},
         {"phases/0/phase.md", phasegate::test::kGate}});
    CHECK(got.startable());
    CHECK_FALSE(got.workflow.dynamic.has_value());
    CHECK_FALSE(got.workflow.dynamic_reason.empty());
    CHECK(findings_of(got, "unknown_dynamic_config").size() == 1);
    CHECK(got.workflow.input.empty());
  }
  for (const char* config : {R"([])", R"({"source_type":"spec_tasks_md","source_path_key":7})",
                             R"({"source_type":"spec_tasks_md","templates":[]})",
                             R"({"source_type":"spec_tasks_md","templates":{"phase":1}})"}) {
    CAPTURE(config);
    CHECK_FALSE(phasegate::test::loaded(
                    {{"metadata.json", phasegate::test::metadata(R"("dynamic_config":)" +
                                                                 std::string(config) + ",")},
                     {"phases/0/phase.md", phasegate::test::kGate}})
                    .startable());
  }
  const LoadedWorkflow missing = phasegate::test::loaded(
      {{"metadata.json",
        phasegate::test::metadata(
            R"("dynamic_config":{"source_type":"spec_tasks_md","templates":{"phase":"../../no.md"}},)")},
       {"phases/0/phase.md", phasegate::test::kGate}});
  CHECK(missing.startable());
  CHECK(has(missing, "missing_template"));
  CHECK(missing.workflow.dynamic->phase_template.empty());
}

TEST_CASE("dynamic phases: a template outside phases/ is never shown either") {
  const LoadedWorkflow got = phasegate::test::loaded(
      {{"metadata.json",
        phasegate::test::metadata(
            R"("dynamic_config":{"source_type":"spec_tasks_md","templates":{"task":"t/task.md"}},)")},
       {"phases/0/phase.md", std::string(phasegate::test::kGate) + "[t](../../t/task.md)\n"},
       {"t/task.md", "x"}});
  CHECK(got.workflow.documents.at("t/task.md").withheld);
}

TEST_CASE("dynamic phases: phases, tasks, gates and documents of their own") {
  const LoadedWorkflow before = shipyard();
  const LoadedWorkflow got = boat();
  for (const Finding& finding : got.findings) CAPTURE(finding.message);
  REQUIRE(got.startable());
  CHECK_FALSE(got.workflow.dynamic.has_value());
  CHECK(got.content_hash != before.content_hash);
  REQUIRE(got.workflow.phases.size() == 3);
  const Phase& hull = got.workflow.phases[1];
  CHECK(hull.id == "1");
  CHECK(hull.title == "Hull");
  CHECK(hull.purpose == "Keep the water out");
  CHECK(hull.file == "specs/boat/tasks.md#1");
  CHECK(hull.source == Source{"specs/boat/tasks.md", 10, 0});
  REQUIRE(hull.tasks.size() == 2);
  CHECK(hull.tasks[1].number == "1.2");
  CHECK(hull.tasks[1].file == "specs/boat/tasks.md#1/1.2");
  CHECK(names_of(hull.gate) == "the_hull_floats;the_bilge_stays_dry;the_yard_is_swept;");
  CHECK(hull.gate.requirements[0].source == Source{"specs/boat/tasks.md", 26, 0});
  CHECK(hull.gate.requirements[2].source.file == "phases/dynamic/phase-template.md");
  CHECK(names_of(got.workflow.phases[2].gate) == "task_2_1_done;task_2_2_done;the_yard_is_swept;");
  CHECK(got.workflow.phases[2].gate.requirements[0].description == "Sew the pelican");
  CHECK(has(got, "gate_from_tasks"));
  CHECK_FALSE(got.workflow.phases[2].gate.weak);
  CHECK(got.workflow.documents.at("specs/boat/tasks.md").withheld);
  for (const auto& [path, document] : got.workflow.documents) {
    CAPTURE(path);
    CHECK(got.blobs.contains(document.hash));
    if (path.starts_with("specs/boat/tasks.md#1")) CHECK(document.phase == "1");
    if (path.starts_with("specs/boat/tasks.md#2")) CHECK(document.phase == "2");
  }
  CHECK(got.workflow.documents.at("specs/boat/tasks.md#1").links ==
        std::vector<std::string>{"core/habits.md"});
  CHECK(holds(got.workflow.complete_message, "all 3 phases"));
  const auto again = workflow_from_json(to_json(got.workflow));
  REQUIRE(again.ok());
  CHECK(*again == got.workflow);
  CHECK(boat().content_hash == got.content_hash);
}

TEST_CASE("dynamic phases: templates are filled, and nothing of a later phase is in a text") {
  const LoadedWorkflow got = boat();
  CHECK(text_of(got, "specs/boat/tasks.md#1") == R"(# Phase 1: Hull

Time: Days 1-3. Tasks: 2.

**Goal:** Keep the water out

- Task 1.1: Cut the planks
- Task 1.2: Caulk the seams

## Checkpoint

**Validation Gate:**
- [ ] The hull floats
- [ ] The bilge stays dry

In every phase:
- [ ] The yard is swept

## Then

Go on with phase 2. Habits: [habits](../../core/habits.md).
)");
  CHECK(text_of(got, "specs/boat/tasks.md#1/1.1") == R"(# Task 1.1: Cut the planks

Phase 1 (Hull), 2 hours, after: None

- **Estimated Time**: 2 hours
- **Dependencies**: None
- Oak, not pine.

## Good when

- [ ] Twelve planks lie there
- [ ] None is split

Next: 1.2
)");
  CHECK(holds(text_of(got, "specs/boat/tasks.md#2"), "- [ ] Sew the pelican"));
  CHECK(holds(text_of(got, "specs/boat/tasks.md#2"), "phase (none: this is the last one)"));
  CHECK(holds(text_of(got, "specs/boat/tasks.md#2/2.2"), "Next: (none: this is the last one)"));
  for (const char* path :
       {"specs/boat/tasks.md#1", "specs/boat/tasks.md#1/1.1", "specs/boat/tasks.md#1/1.2"}) {
    CHECK_FALSE(holds(text_of(got, path), "elican"));
  }
}

TEST_CASE("dynamic phases: without templates the words are the author's") {
  const LoadedWorkflow got =
      with_dynamic_phases(plain(), read_file(fixture("shipyard/specs/boat/tasks.md")), "tasks.md");
  REQUIRE(got.startable());
  const std::string& hull = text_of(got, "tasks.md#1");
  CHECK(hull.starts_with("## Phase 1: Hull (Days 1-3)\n"));
  CHECK(holds(hull, "The bilge stays dry"));
  CHECK_FALSE(holds(hull, "planks"));
  CHECK_FALSE(holds(hull, "elican"));
  CHECK(text_of(got, "tasks.md#2/2.2") ==
        "### Task 2.2: Hoist the pelican\n\n**Dependencies:** Task 2.1\n");
  CHECK(names_of(got.workflow.phases[1].gate) == "the_hull_floats;the_bilge_stays_dry;");
}

TEST_CASE("dynamic phases: a template without a place for the words gets them at its end") {
  const TemplateValues values{{"A", "[B]"}, {"B", "b"}};
  CHECK(fill_template("x [A] [B or \"none\"] [C] [A", values, "").text == "x [B] b [C] [A");
  CHECK(fill_template("[A][B]\n", values, "").used == std::vector<std::string>{"A", "B"});
  CHECK(without_indent("\n    a\n      b\n\n    c\n\n") == "a\n  b\n\nc");
  CHECK(without_indent("").empty());
  LoadedWorkflow bare = phasegate::test::loaded(
      {{"metadata.json",
        phasegate::test::metadata(
            R"("dynamic_config":{"source_type":"spec_tasks_md","templates":{"phase":"t.md","task":"t.md"}},)")},
       {"phases/0/phase.md", phasegate::test::kGate},
       {"t.md", "Nothing."}});
  const LoadedWorkflow got = with_dynamic_phases(
      bare, "## Phase 1: a\nWhy.\n- [ ] Task 1.1: b\n  - how\n\n**Checkpoint:**\n- [ ] c\n",
      "tasks.md");
  REQUIRE(got.startable());
  CHECK(holds(text_of(got, "tasks.md#1"), "Why."));
  CHECK(holds(text_of(got, "tasks.md#1"), "- [ ] c"));
  CHECK(holds(text_of(got, "tasks.md#1/1.1"), "- how"));
}

TEST_CASE("dynamic phases: ids are as written, and one that is taken is an error") {
  const LoadedWorkflow taken =
      with_dynamic_phases(plain(), "## Phase 0: a\n- [ ] Task 0.1: b\n", "s/tasks.md");
  CHECK_FALSE(taken.startable());
  REQUIRE(findings_of(taken, "phase_id_taken").size() == 1);
  CHECK(findings_of(taken, "phase_id_taken")[0].source == Source{"s/tasks.md", 1, 0});
  const LoadedWorkflow one =
      with_dynamic_phases(plain(), "# Boat\n- [ ] a\n- [ ] b\n", "s/tasks.md");
  REQUIRE(one.startable());
  CHECK(one.workflow.phases.back().id == "1");
  CHECK(one.workflow.phases.back().title == "Boat");
}

TEST_CASE("dynamic phases: a phase with neither gate nor tasks has a weak gate") {
  const LoadedWorkflow got = with_dynamic_phases(
      plain(), "## Phase 1: a\n- [ ] Task 1.1: b\n## Phase 2: c\nwords\n", "tasks.md");
  REQUIRE(got.startable());
  CHECK(got.workflow.phases[2].gate.weak);
  CHECK(names_of(got.workflow.phases[2].gate) == "summary;");
}

TEST_CASE("dynamic phases: what cannot be read, or is too much, does not start") {
  struct Case {
    std::string text;
    const char* code;
  };
  std::string big(phasegate::base::limits::kDocumentBytesMax + 1, 'x');
  std::string many;
  for (std::size_t i = 1; i <= phasegate::base::limits::kPhasesMax; ++i) {
    many += "## Phase " + std::to_string(i) + ": x\n- [ ] Task " + std::to_string(i) + ".1: y\n";
  }
  std::string tasks = "## Phase 1: x\n";
  for (int i = 0; i < 200; ++i) tasks += "- [ ] Task 1." + std::to_string(i) + ": y\n";
  const Case cases[] = {{"", "no_tasks"},
                        {"words", "no_tasks"},
                        {"## Phase 1: \xFF\n- [ ] Task 1.1: x\n", "unreadable_text"},
                        {std::string("a\0b", 3), "unreadable_text"},
                        {big, "unreadable_text"},
                        {many, "too_many_phases"},
                        {tasks, "too_many_requirements"}};
  for (const Case& one : cases) {
    CAPTURE(one.code);
    const LoadedWorkflow got = with_dynamic_phases(plain(), one.text, "tasks.md");
    CHECK_FALSE(got.startable());
    CHECK(has(got, one.code));
  }
}

TEST_CASE("dynamic phases: a template that is written out too often is an error, not a flood") {
  const LoadedWorkflow heavy = phasegate::test::loaded(
      {{"metadata.json",
        phasegate::test::metadata(
            R"("dynamic_config":{"source_type":"spec_tasks_md","templates":{"task":"t.md"}},)")},
       {"phases/0/phase.md", phasegate::test::kGate},
       {"t.md", "[TASK_ID]" + std::string(3U << 20U, 'x')}});
  std::string tasks = "## Phase 1: a\n";
  for (int i = 0; i < 40; ++i) tasks += "- [ ] Task 1." + std::to_string(i) + ": y\n";
  CHECK(has(with_dynamic_phases(heavy, tasks, "tasks.md"), "too_large"));
}

TEST_CASE("dynamic phases: line ends and a byte order mark change nothing") {
  const std::string lf = read_file(fixture("shipyard/specs/boat/tasks.md"));
  std::string crlf = "\xEF\xBB\xBF";
  for (const char c : lf) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const LoadedWorkflow one = with_dynamic_phases(shipyard(), lf, "tasks.md");
  const LoadedWorkflow two = with_dynamic_phases(shipyard(), crlf, "tasks.md");
  CHECK(one.workflow.phases == two.workflow.phases);
  CHECK(text_of(one, "tasks.md#1") == text_of(two, "tasks.md#1"));
}

TEST_CASE("real specs: each of them makes a workflow with spec_execution_v1") {
  const auto folder = phasegate::test::real_documents("workflows/praxis-os/spec_execution_v1");
  const auto specs = phasegate::test::real_documents("workflows/praxis-os-specs/completed");
  if (!folder || !specs) return;
  const LoadedWorkflow whole = read_folder(*folder);
  REQUIRE(whole.workflow.dynamic.has_value());
  for (const auto& entry : std::filesystem::directory_iterator(*specs)) {
    CAPTURE(entry.path().filename().string());
    const LoadedWorkflow got =
        with_dynamic_phases(whole, read_file(entry.path() / "tasks.md"), "specs/x/tasks.md");
    for (const Finding& finding : got.findings) {
      CAPTURE(finding.message);
      CHECK(finding.severity != Severity::error);
    }
    for (const Phase& phase : got.workflow.phases) {
      CAPTURE(phase.id);
      CHECK_FALSE(phase.gate.weak);
      if (phase.id == "0") continue;
      // Five boxes of the template stand behind those of the phase.
      CHECK(phase.gate.requirements.size() >= 6);
      const std::string& text = text_of(got, phase.file);
      for (const char* place : {"[PHASE_", "[VALIDATION_GATE]", "[TASK_COUNT]", "[N.1]"}) {
        CHECK_FALSE(holds(text, place));
      }
      for (const Task& task : phase.tasks) {
        CHECK_FALSE(holds(text_of(got, task.file), "[DEPENDENCIES"));
        CHECK_FALSE(holds(text_of(got, task.file), "[TASK_"));
      }
    }
  }
}
