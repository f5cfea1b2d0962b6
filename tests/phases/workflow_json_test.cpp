#include "phases/workflow_json.h"

#include <string>

#include <doctest/doctest.h>

#include "base/json.h"
#include "phases/workflow_reader.h"
#include "tests/phases/folder_fixture.h"
#include "tests/support/files.h"

using namespace phasegate::phases;
using phasegate::base::Json;
using phasegate::base::JsonLimits;

namespace {

/// A workflow in which every member of the model is set.
Workflow full() {
  Workflow w = phasegate::test::read_folder(phasegate::test::fixture("small_workflow")).workflow;
  w.dynamic = DynamicPhases{"spec_path", "tasks.md", "p.md", "t.md", {"metadata.json", 3, 0}};
  w.dynamic_reason = "waits";
  w.outline = true;
  w.input = {w.phases[0].gate.requirements[0]};
  w.input_closed = true;
  w.phases[0].gate.weak = true;
  w.phases[0].gate.none = true;
  w.phases[0].gate.human_approval = true;
  w.phases[0].gate.human_approval_source = {"x", 1, 2};
  w.phases[0].gate.asks_leniency = true;
  DecisionDemand& decision = w.phases[0].gate.decision.emplace();
  decision = standard_decision("Is it good?", "0", {"x", 3, 4});
  decision.show = {"evidence.a"};
  decision.role = "qa";
  decision.count = 2;
  decision.not_submitter = true;
  decision.channel = DecisionChannel::client;
  decision.remind_after_ms = 60'000;
  w.phases[1].by_person = true;
  Requirement& r = w.phases[0].gate.requirements[0];
  r.type = ValueType::number;
  r.minimum = 0.1;
  r.maximum = 2.0;
  r.exclusive_minimum = -1.5;
  r.exclusive_maximum = 1e300;
  r.min_length = 3;
  r.max_length = 30;
  r.min_items = 4;
  r.max_items = 40;
  r.items = ItemRule{ValueType::string, 2, "^x", {std::string("xx"), std::string("xy")}};
  r.example = "[1]";
  r.artifact = false;
  r.secret = true;
  r.pattern = "^\\d+\xEF\xBF\xBD$";
  r.format = "date";
  r.constant = 5.0;
  r.one_of = {true, std::int64_t{5}, 5.0, std::string("x")};
  r.false_allowed = true;
  r.required = false;
  return w;
}

Json parsed(const std::string& text) {
  return *phasegate::base::parse_json(text, JsonLimits{16U << 20U, 64});
}

/// Calls `visit(pointer)` for every value below `json`.
template <typename Visit>
void each_pointer(const Json& json, const std::string& at, const Visit& visit) {
  visit(at);
  if (json.is_object()) {
    for (const auto& [name, value] : json.items()) each_pointer(value, at + "/" + name, visit);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) {
      each_pointer(json[i], at + "/" + std::to_string(i), visit);
    }
  }
}

}  // namespace

TEST_CASE("model: what is stored reads back equal, also through text") {
  const Workflow w = full();
  const auto again = workflow_from_json(to_json(w));
  REQUIRE(again.ok());
  CHECK(*again == w);
  const auto through_text = workflow_from_json(parsed(phasegate::base::dump(to_json(w))));
  REQUIRE(through_text.ok());
  CHECK(*through_text == w);
}

TEST_CASE("invariant 4: a stored model that is damaged anywhere is refused") {
  const Json good = to_json(full());
  std::size_t checked = 0;
  each_pointer(good, "", [&](const std::string& at) {
    CAPTURE(at);
    Json wrong = good;
    wrong[Json::json_pointer(at)] = nullptr;
    const auto got = workflow_from_json(wrong);
    CHECK_FALSE(got.ok());
    if (!got.ok()) CHECK(got.error().code == "damaged_definition");
    ++checked;
  });
  CHECK(checked > 200);
}

TEST_CASE("invariant 4: missing and unknown members are refused") {
  const Json good = to_json(full());
  const char* const kOptional[] = {"minimum",
                                   "maximum",
                                   "exclusive_minimum",
                                   "exclusive_maximum",
                                   "min_length",
                                   "max_length",
                                   "min_items",
                                   "max_items",
                                   "items",
                                   "pattern",
                                   "format",
                                   "constant",
                                   "one_of",
                                   "none",
                                   "example",
                                   "artifact",
                                   "secret",
                                   "dynamic",
                                   "decision",
                                   "show",
                                   "phase",
                                   "role",
                                   "not_submitter",
                                   "remind_after_ms",
                                   "by_person"};
  each_pointer(good, "", [&](const std::string& at) {
    const Json::json_pointer here(at);
    if (!good[here].is_object()) return;
    Json more = good;
    more[here]["surprise"] = 1;
    CAPTURE(at);
    CHECK_FALSE(workflow_from_json(more).ok());
    for (const auto& [name, value] : good[here].items()) {
      bool optional = false;
      for (const char* one : kOptional) optional = optional || name == one;
      // Of an option it is optional, of a document not.
      if (at.starts_with("/documents")) optional = false;
      Json less = good;
      less[here].erase(name);
      CAPTURE(name);
      CHECK(workflow_from_json(less).ok() == optional);
    }
  });
}

TEST_CASE(
    "invariant 6: a model that version 0.1.0 stored still loads, without what it did not know") {
  const auto stored = workflow_from_json(
      parsed(phasegate::test::read_file(phasegate::test::fixture("models/model_1.json"))));
  REQUIRE(stored.ok());
  Workflow now = phasegate::test::read_folder(phasegate::test::fixture("small_workflow")).workflow;
  // A file that exists was any text then, and the run stays pinned to that.
  Requirement& note = now.phases.at(1).gate.requirements.at(1);
  note.format.reset();
  note.min_length = 1;
  // What stands in brackets was part of a name then.
  for (Phase& phase : now.phases) {
    for (Requirement& one : phase.gate.requirements) {
      if (one.name == "links_followed") one.name = "links_followed_if_there_are_any";
    }
  }
  CHECK(*stored == now);
  CHECK_FALSE(stored->outline);
  CHECK(stored->input.empty());
}

TEST_CASE("invariant 6: a model that version 0.3.0 stored still loads, with all it knew") {
  const auto stored = workflow_from_json(
      parsed(phasegate::test::read_file(phasegate::test::fixture("models/model_2.json"))));
  REQUIRE(stored.ok());
  const LoadedWorkflow now =
      read_workflow(phasegate::test::fixture("models/greenhouse.yaml"), PlainRequirementReader());
  CHECK(*stored == now.workflow);
  CHECK(stored->outline);
  CHECK(stored->input.size() == 2);
  CHECK(stored->input_closed);
  CHECK(stored->phases[1].gate.none);
  CHECK_FALSE(stored->dynamic.has_value());
  CHECK(stored->phases[0].gate.requirements[0].confidence == Confidence::high);
}

TEST_CASE("invariant 6: a model of version 5 still loads, with its checks and decisions") {
  const auto stored = workflow_from_json(
      parsed(phasegate::test::read_file(phasegate::test::fixture("models/model_5.json"))));
  REQUIRE(stored.ok());
  const LoadedWorkflow now =
      read_workflow(phasegate::test::fixture("models/orchard.yaml"), PlainRequirementReader());
  REQUIRE(now.startable());
  CHECK(*stored == now.workflow);
  CHECK(stored->checks.size() == 1);
  CHECK(stored->protect.size() == 1);
  REQUIRE(stored->phases.size() == 3);
  CHECK(stored->phases[0].gate.checks.size() == 2);
  REQUIRE(stored->phases[0].gate.decision.has_value());
  CHECK(stored->phases[0].gate.decision->options.size() == 3);
  CHECK(stored->phases[0].gate.decision->count == 2);
  CHECK(stored->phases[1].by_person);
  CHECK(stored->phases[1].gate.decision->channel == DecisionChannel::client);
}

TEST_CASE("invariant 6: a model of version 6 still loads, with what it says of passages") {
  const auto stored = workflow_from_json(
      parsed(phasegate::test::read_file(phasegate::test::fixture("models/model_6.json"))));
  REQUIRE(stored.ok());
  CHECK(stored->passages_on_refusal);
  CHECK(stored->phases.size() == 3);
}

TEST_CASE("model: versions and enumerators") {
  Json newer = to_json(full());
  newer["model_version"] = Workflow::kModelVersion + 1;
  const auto got = workflow_from_json(newer);
  REQUIRE_FALSE(got.ok());
  CHECK(got.error().hint.find("newer") != std::string::npos);
  Json word = to_json(full());
  word["phases"][0]["gate"]["requirements"][0]["type"] = "float";
  CHECK_FALSE(workflow_from_json(word).ok());
  Json id = to_json(full());
  id["phases"][0]["id"] = "../0";
  CHECK_FALSE(workflow_from_json(id).ok());
  Json twice = to_json(full());
  twice["documents"].push_back(twice["documents"][0]);
  CHECK_FALSE(workflow_from_json(twice).ok());
  for (const char* text : {"null", "[]", "1", "{}", "\"x\""}) {
    CHECK_FALSE(workflow_from_json(parsed(text)).ok());
  }
}

TEST_CASE("model: a finding as JSON") {
  const Json json = to_json(Finding{
      Severity::warning, "weak_gate", "message", "hint", {"phases/1/phase.md", 3, 0, 7}, "1"});
  CHECK(phasegate::base::dump(json) ==
        R"({"severity":"warning","code":"weak_gate","message":"message","hint":"hint",)"
        R"("file":"phases/1/phase.md","line":3,"column":7,"phase":"1"})");
}
