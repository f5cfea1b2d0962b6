#include "phases/lint.h"

#include <doctest/doctest.h>

#include "phases/constraint.h"
#include "tests/phases/folder_fixture.h"

using namespace phasegate::phases;

namespace {

Requirement field(const char* name, ValueType type) {
  Requirement requirement;
  requirement.name = name;
  requirement.type = type;
  requirement.source = {"p.md", 7, 0};
  return requirement;
}

std::vector<Finding> lint(std::vector<Requirement> requirements) {
  Workflow workflow;
  Phase phase;
  phase.id = "3";
  phase.gate.requirements = std::move(requirements);
  workflow.phases.push_back(std::move(phase));
  FindingList findings;
  lint_workflow(workflow, findings);
  return findings.take();
}

}  // namespace

TEST_CASE("lint: a phase whose demands are all true or false rests on the sender's word") {
  const auto alone = lint({field("done", ValueType::boolean)});
  REQUIRE(alone.size() == 1);
  CHECK(alone[0].code == "only_self_attested");
  CHECK(alone[0].severity == Severity::info);
  CHECK(lint({field("done", ValueType::boolean), field("count", ValueType::integer)}).empty());
  Requirement optional = field("count", ValueType::integer);
  optional.required = false;
  CHECK(lint({field("done", ValueType::boolean), optional}).size() == 1);
  CHECK(lint({optional}).empty());
}

TEST_CASE("lint: a guess is a warning that says how to correct it") {
  Requirement guess = field("count", ValueType::integer);
  guess.confidence = Confidence::low;
  guess.description = "Some classes";
  const auto found = lint({guess});
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "low_confidence");
  CHECK(found[0].severity == Severity::warning);
  CHECK(found[0].message == "\"count\" (integer) is a guess from \"Some classes\"");
  CHECK(found[0].hint ==
        "if it is wrong, write in a file of corrections under phases, \"3\", requirements: - "
        "{requirement: count, type: …}, or drop: true with because: …");
  guess.confidence = Confidence::medium;
  CHECK(lint({guess}).empty());
}

TEST_CASE("constraint_of: one short form for each rule") {
  const auto with = [](Requirement requirement, auto change) {
    change(requirement);
    return constraint_of(requirement);
  };
  const Requirement flag = field("f", ValueType::boolean);
  const Requirement number = field("n", ValueType::integer);
  const Requirement text = field("t", ValueType::string);
  const Requirement list = field("l", ValueType::array);
  CHECK(constraint_of(flag) == "== true");
  CHECK(with(flag, [](auto& r) { r.constant = false; }) == "== false");
  CHECK(with(flag, [](auto& r) { r.false_allowed = true; }) == "");
  CHECK(with(flag, [](auto& r) { r.required = false; }) == "");
  CHECK(constraint_of(number) == "");
  CHECK(with(number, [](auto& r) { r.minimum = 0; }) == ">= 0");
  CHECK(with(number, [](auto& r) { r.exclusive_minimum = 0; }) == "> 0");
  CHECK(with(number, [](auto& r) { r.maximum = 2.5; }) == "<= 2.5");
  CHECK(with(number, [](auto& r) { r.exclusive_maximum = 4; }) == "< 4");
  CHECK(with(number, [](auto& r) { r.minimum = 1, r.maximum = 9; }) == "range:1..9");
  CHECK(with(number, [](auto& r) { r.minimum = 7, r.maximum = 7; }) == "== 7");
  CHECK(with(number, [](auto& r) { r.constant = std::int64_t{0}; }) == "== 0");
  CHECK(constraint_of(text) == "non-empty");
  CHECK(with(text, [](auto& r) { r.required = false; }) == "");
  CHECK(with(text, [](auto& r) { r.format = kProjectPath; }) == "exists");
  CHECK(with(text, [](auto& r) { r.format = "project-folder"; }) == "exists");
  CHECK(with(text, [](auto& r) { r.format = "date"; }) == "format:date");
  CHECK(with(text, [](auto& r) { r.constant = std::string("go"); }) == "== go");
  CHECK(with(text, [](auto& r) { r.one_of = {std::string("a"), std::string("b c")}; }) ==
        "enum:a|b c");
  CHECK(constraint_of(list) == "non-empty");
  CHECK(constraint_of(field("o", ValueType::object)) == "non-empty");
}
