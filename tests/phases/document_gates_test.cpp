#include "phases/document_gates.h"

#include <doctest/doctest.h>

#include "phases/gate_finish.h"

using namespace phasegate::phases;

namespace {

Requirement asked(std::string name, std::string description, int line) {
  Requirement requirement;
  requirement.name = std::move(name);
  requirement.description = std::move(description);
  requirement.kind = RequirementSource::checkbox;
  requirement.source = {"x.md", line, 0};
  return requirement;
}

Workflow one_phase() {
  Workflow workflow;
  Phase phase;
  phase.id = "1";
  phase.file = "x.md#1";
  phase.gate.source = {"x.md", 3, 0};
  phase.gate.requirements = {asked("done", "Done", 4)};
  workflow.phases.push_back(phase);
  return workflow;
}

std::vector<std::string> names_of(const std::vector<Requirement>& requirements) {
  std::vector<std::string> names;
  for (const Requirement& requirement : requirements) names.push_back(requirement.name);
  return names;
}

}  // namespace

TEST_CASE("what several parts ask for together is asked for once and told apart") {
  std::vector<Requirement> joined = {asked("done", "Done", 1)};
  Requirement aliased = asked("seen", "Seen", 9);
  aliased.aliases = {"done", "looked_at", "looked_at"};
  FindingList findings;
  join_requirements(joined, {asked("done", "Done", 5), asked("done", "Done twice", 7), aliased},
                    findings, "1");
  REQUIRE(joined.size() == 3);
  CHECK(joined[1].name.starts_with("done_"));
  CHECK(joined[2].aliases == std::vector<std::string>{"looked_at"});
  const auto said = findings.take();
  REQUIRE(said.size() == 1);
  CHECK(said[0].code == "repeated_requirement");
  CHECK(said[0].source.line == 5);
}

TEST_CASE("what is asked for the whole is asked for on leaving the last phase") {
  Workflow workflow = one_phase();
  Phase last;
  last.id = "2";
  workflow.phases.push_back(last);
  ReadCriteria whole;
  whole.exit = {asked("all_well", "All is well", 20)};
  whole.source = {"x.md", 19, 0};
  whole.human_approval = true;
  whole.human_approval_source = {"x.md", 21, 0};
  FindingList findings;
  add_whole(whole, "x.md", 3, workflow, findings);
  CHECK(names_of(workflow.phases[0].gate.requirements) == std::vector<std::string>{"done"});
  CHECK(names_of(workflow.phases[1].gate.requirements) == std::vector<std::string>{"all_well"});
  CHECK(workflow.phases[1].gate.source.line == 19);
  CHECK(workflow.phases[1].gate.human_approval);
  CHECK_FALSE(workflow.phases[0].gate.human_approval);
  const auto said = findings.take();
  REQUIRE(said.size() == 1);
  CHECK(said[0].code == "gate_of_the_whole");
}

TEST_CASE("entry gates are told, and asked for by nobody") {
  FindingList findings;
  report_entry({asked("ready", "Ready", 2), asked("set", "Set", 8)}, 5, "", findings);
  report_entry({asked("go", "Go", 9)}, 5, "2", findings);
  report_entry({}, 5, "3", findings);
  const auto said = findings.take();
  REQUIRE(said.size() == 3);
  for (const Finding& finding : said) CHECK(finding.code == "entry_gate");
  CHECK(said[0].severity == Severity::warning);
  CHECK(said[0].source.line == 2);
  CHECK(said[1].severity == Severity::info);
  CHECK(said[1].source.line == 8);
  CHECK(said[2].phase == "2");
}

TEST_CASE("invariant 3: a gate that could not be read is not made weak, it stays shut") {
  for (const Severity severity : {Severity::error, Severity::warning}) {
    Workflow workflow = one_phase();
    workflow.phases[0].gate.requirements[0].required = false;
    FindingList findings;
    finish_gates(workflow, {{severity, "x", "", "", {}, ""}}, findings);
    CHECK(workflow.phases[0].gate.weak == (severity == Severity::warning));
  }
}
