#include "app/cli/render_decision.h"

#include <doctest/doctest.h>

#include "app/cli/outside_text.h"
#include "base/json.h"
#include "tests/app/project.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using gating::engine::DecisionView;
using phases::DecisionEffect;
using phases::DecisionInput;
using test::contains;

const base::Error kNoGit{"git_none", "the project is in no git repository", "", ""};

/// The second of three phases, which two approvers have to let pass.
DecisionView view_of() {
  phases::Workflow workflow;
  workflow.id = "flow";
  for (const char* id : {"plan", "build", "canary"}) {
    phases::Phase phase;
    phase.id = id;
    phase.title = id;
    phase.gate.none = true;
    workflow.phases.push_back(phase);
  }
  auto& demand = workflow.phases[1].gate.decision.emplace();
  demand.prompt = "Is it good?";
  demand.options = {{"ship", "Ship it", DecisionEffect::proceed, "", DecisionInput::none},
                    {"again", "Plan again", DecisionEffect::go_to, "plan", DecisionInput::required},
                    {"skip", "Leave out", DecisionEffect::go_to, "canary", DecisionInput::optional},
                    {"stop", "Stop", DecisionEffect::cancelled, "", DecisionInput::optional}};
  demand.role = "qa";
  demand.count = 2;
  demand.not_submitter = true;
  DecisionView view;
  auto definition = gating::Definition::make("hash", workflow);
  REQUIRE(definition.ok());
  view.view.definition = *definition;
  gating::RunState& run = view.view.run;
  run.id = "0d6ab8c2-7e21-4f6b-9d7a-4c8f1f2e3a4b";
  run.workflow = "flow";
  run.current_phase = "build";
  run.status = gating::RunStatus::waiting;
  gating::AcceptedPhase accepted;
  accepted.phase = "plan";
  run.accepted.push_back(accepted);
  run.feedback = gating::Feedback{"plan", "", "look again", "approver:bob", {1'000}};
  view.phase = &view.view.phase();
  view.demand = *view.phase->gate.decision;
  view.decision.submission.evidence = R"({"note":"x"})";
  view.decision.submission.actor = "root";
  gating::DecisionAnswer answer;
  answer.option = "ship";
  answer.approver = "ada";
  answer.input = "fine by me";
  view.decision.answers.push_back(answer);
  gating::CheckResult check;
  check.name = "tests";
  check.outcome = gating::CheckOutcome::passed;
  check.subject = "make \x1b[31mtest";
  check.value = "12";
  view.decision.checks.push_back(check);
  view.changed_files = {"src/\u202Ea.cpp"};
  view.shown = {{"steps.plan.output", "", "there is no such step"}};
  view.digest = "d";
  return view;
}

Page page() {
  Page made;
  made.width = 200;
  made.now = {61'000};
  return made;
}

TEST_CASE("decision: who has decided, who may, and what has changed since it was checked (§6)") {
  const std::string text = decision_text(view_of(), kNoGit, false, page());
  for (const char* part :
       {"1 of 2 approvers have decided; the role qa; somebody else than who handed it over",
        "passed tests: make \\u001b[31mtest = 12",
        "Changed since they were checked\n  ! src/\\u202ea.cpp",
        "cannot be told: the project is in no git repository",
        "Why this phase was open again\n  bob, 1 min ago", "    | look again", "ada, ",
        "    | fine by me", "steps.plan.output: cannot be told: there is no such step",
        "1  ship   Ship it – the gate opens, and the next phase begins",
        "phase plan is open again; what was accepted from there on counts no more; asks for words",
        "the gate opens, and the session goes on in phase canary",
        "the session ends as cancelled"}) {
    CHECK_MESSAGE(contains(text, part), part, "\n", text);
  }
}

TEST_CASE("decision --json: no phase is named that the run has not reached (invariant 1)") {
  const Json json = decision_json(view_of(), kNoGit);
  CHECK(json["options"][1]["phase"] == "plan");
  CHECK(json["options"][2]["phase"].is_null());
  CHECK_FALSE(contains(base::dump(json), "canary"));
  CHECK(json["answers"].size() == 1);
  CHECK(json["needed"] == 2);
  CHECK(json["changes"].is_null());
  CHECK(json["changes_problem"] == "the project is in no git repository");
}

TEST_CASE("decision: many files are counted, and shown with --full only") {
  world::Changes changes;
  changes.commit = std::string(40, 'a');
  changes.since = world::Changes::Since::observed;
  for (int i = 0; i < 60; ++i) {
    world::ChangedFile file;
    file.path = "f" + std::to_string(i);
    changes.files.push_back(file);
  }
  const std::string text = decision_text(view_of(), changes, false, page());
  CHECK(contains(text, "60 files, +0 -0 lines, since the session began, at commit aaaaaaaaaaaa"));
  CHECK(contains(text, "… and 10 more; --full shows them"));
  CHECK_FALSE(contains(text, "f55"));
  CHECK(contains(decision_text(view_of(), changes, true, page()), "changed f55"));
}

TEST_CASE("quoted block: nothing of it looks like the program's own words") {
  CHECK(quoted_block("a\n\n  b\r\nc", 2, false, page()) == "  | a\n  |\n  |   b\n  | c\n");
  CHECK(quoted_block("", 0, false, page()) == "|\n");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "x\n";
  CHECK(contains(quoted_block(many, 0, false, page()), "… shortened: 200 bytes in all"));
  CHECK_FALSE(contains(quoted_block(many, 0, true, page()), "shortened"));
  CHECK(named_value("a", "\"\"", 0, false, page()) == "a: (empty)\n");
  CHECK(named_value("a\x1b", "{\"b\":1}", 0, false, page()) == "a\\u001b: {\"b\":1}\n");
}

}  // namespace
}  // namespace phasegate::app::cli
