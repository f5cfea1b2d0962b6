#include "gating/decision_show.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "gating/definition.h"
#include "phases/native/reader.h"
#include "tests/support/workflows.h"

namespace phasegate::gating {
namespace {

using base::Json;

constexpr const char* kFlow = R"(workflow: w
input: {type: object, properties: {topic: string}, additionalProperties: false}
steps:
  - id: plan
    instructions: Plan
    evidence: {metrics: object, note: string}
  - id: build
    instructions: Build
    evidence: {note: string}
    checks: [{name: made, file: out.txt}]
    decision:
      prompt: Is it good enough?
      show: [SHOWN]
  - id: ship
    instructions: Ship
    evidence: {shipped: string}
)";

/// The error of the workflow whose decision shows this; empty: there is none.
std::string error_of(const std::string& shown) {
  std::string text = kFlow;
  text.replace(text.find("SHOWN"), 5, shown);
  phases::LoadedWorkflow loaded = phases::read_native_text("w.yaml", text);
  REQUIRE(loaded.startable());
  const auto made = definition_of(loaded);
  if (made) return "";
  const auto direct = Definition::make("h", loaded.workflow);
  REQUIRE_FALSE(direct.ok());
  CHECK(direct.error().code == "invalid_decision");
  CHECK(direct.error().where == "w.yaml:12");
  return direct.error().message + " " + direct.error().hint;
}

}  // namespace

TEST_CASE("decision: what it shows must parse and be there (003-17)") {
  for (const std::string good :
       {"evidence.note", "note", "metrics.delta", "'metrics[\"a-b\"]'", "steps.plan.evidence.note",
        "checks.made.passed", "run.visit", "input.topic", "'count(metrics) > 1 && note != null'"}) {
    CAPTURE(good);
    CHECK(error_of(good).empty());
  }
  const struct {
    const char* shown;
    const char* said;
  } bad[] = {
      {"metric.delta", "did you mean metrics?"},
      {"shipped", "is no name that can be read here"},
      {"evidence.metrics", "is no field that this gate asks for"},
      {"evidence.notes", "did you mean evidence.note?"},
      {"steps.ship.evidence.shipped", "is no phase before this one"},
      {"steps.plan.evidence.notes", "did you mean steps.plan.evidence.note?"},
      {"checks.mad.passed", "did you mean checks.made?"},
      {"input.topics", "did you mean input.topic?"},
      {"'note +'", "shows \"note +\""},
      {"nearly(note)", "nearly"},
      {"value", "is no name that can be read here"},
  };
  for (const auto& one : bad) {
    const std::string error = error_of(one.shown);
    CAPTURE(one.shown);
    CHECK_MESSAGE(error.find(one.said) != std::string::npos, error);
    CHECK_MESSAGE(error.find("the decision of phase build shows") == 0, error);
  }
}

TEST_CASE("decision: a name by itself is the nearest field of that name") {
  const phases::LoadedWorkflow loaded = [] {
    std::string text = kFlow;
    text.replace(text.find("SHOWN"), 5, "note");
    return phases::read_native_text("w.yaml", text);
  }();
  const auto& workflow = loaded.workflow;
  Json scope = {{"input", {{"topic", "t"}}},
                {"evidence", {{"note", "own"}}},
                {"steps",
                 {{"plan", {{"evidence", {{"note", "planned"}, {"metrics", 3}, {"input", 1}}}}},
                  {"ship", {{"evidence", {{"shipped", "yes"}}}}}}},
                {"run", Json::object()}};
  const Json before = scope;
  add_fields_by_name(scope, workflow, workflow.phases[1]);
  CHECK(scope["note"] == "own");
  CHECK(scope["metrics"] == 3);
  CHECK(scope["input"] == before["input"]);
  CHECK_FALSE(scope.contains("shipped"));
  // A step in which nobody works has no evidence of its own.
  Json later = before;
  later["evidence"] = Json::object();
  add_fields_by_name(later, workflow, workflow.phases[1]);
  CHECK(later["note"] == "planned");
  Json bare = Json::object();
  add_fields_by_name(bare, workflow, workflow.phases[1]);
  CHECK(bare.empty());
}

TEST_CASE("decision: a gate that only asks a person is a gate") {
  const auto compiles = [](const char* steps) {
    const auto loaded =
        phases::read_native_text("w.yaml", std::string("workflow: w\nsteps:\n") + steps);
    return loaded.startable() && definition_of(loaded).ok();
  };
  CHECK(compiles("  - {id: a, instructions: Do it, decision: Is it done}\n"));
  CHECK(compiles("  - {id: a, kind: decision, prompt: Is it done}\n"));
  CHECK_FALSE(compiles("  - {id: a, instructions: Do it}\n"));
}

}  // namespace phasegate::gating
