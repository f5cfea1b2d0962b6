#include "phases/decision.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/limits.h"
#include "gating/path.h"
#include "gating/transition.h"
#include "gating/visibility.h"
#include "tests/gating/decision_support.h"

namespace phasegate::gating {
namespace {

TEST_CASE("decisions: evidence is kept and a person asked before the gate opens (003-33)") {
  Driver driver(four(standard()));
  driver.submit("1");
  const Transition asked = driver.submit("2", Json{{"done", true}, {"more", 1}});
  CHECK(asked.reply.kind == Reply::Kind::waiting);
  CHECK(kinds(asked) == std::vector<std::string>{"evidence_kept", "decision_opened"});
  REQUIRE(asked.effects.size() == 1);
  CHECK(asked.effects[0].kind == kNotify);
  CHECK(Json::parse(asked.effects[0].payload)["event"] == "decision_opened");
  CHECK_FALSE(asked.effects[0].payload.find("more") != std::string::npos);
  CHECK(driver.run.status == RunStatus::waiting);
  CHECK(driver.run.waiting.code == "decision");
  CHECK(driver.run.current_phase == "2");
  CHECK_FALSE(asked.artifact);

  const Transition done = driver.decide("approve", "grace", "well done");
  CHECK(done.reply.kind == Reply::Kind::accepted);
  CHECK(kinds(done) ==
        std::vector<std::string>{"decision_answered", "phase_completed", "phase_entered"});
  const Json said = Json::parse(done.journal[0].data);
  CHECK(said["approver"] == "grace");
  CHECK(said["fingerprint"] == "f00d");
  CHECK(said["assurance"] == "secret");
  CHECK(said["input"] == "well done");
  CHECK(said["shown_digest"] == "digest");
  REQUIRE(done.artifact);
  CHECK(done.artifact->evidence == R"({"done":true,"more":1})");
  REQUIRE(driver.run.find_accepted("2") != nullptr);
  CHECK(driver.run.find_accepted("2")->decided == 1);
  CHECK(driver.run.find_accepted("2")->deciders == std::vector<std::string>{"approver:grace"});
  CHECK(driver.run.current_phase == "3");
  CHECK(driver.run.status == RunStatus::active);
  CHECK_FALSE(driver.run.partial);
}

TEST_CASE("decisions: a document that asks for approval gets the standard one") {
  phases::Phase phase = test::phase("1", {test::boolean("done")});
  phase.gate.human_approval = true;
  Driver driver(test::workflow("one", {phase}));
  CHECK(driver.submit("1").reply.kind == Reply::Kind::waiting);
  driver.decide("approve");
  CHECK(driver.run.status == RunStatus::completed);
}

TEST_CASE("decisions: nothing that is handed over opens the gate meanwhile (invariant 7)") {
  Driver driver = at_decision();
  const RunState before = driver.run;
  const Transition same = driver.submit("2");
  CHECK(same.reply.kind == Reply::Kind::waiting);
  CHECK_FALSE(same.next);
  CHECK(refusal(driver.submit("2", Json{{"done", true}, {"approved", true}})) ==
        RefusalKind::decision_required);
  for (const char* phase : {"3", "4"}) {
    CHECK(driver.submit(phase).reply.refusal->kind == RefusalKind::phase_sequence_violation);
  }
  CHECK(driver.run.decision == before.decision);
  CHECK(driver.run.status == RunStatus::waiting);
}

TEST_CASE("decisions: what cannot be chosen changes nothing and says why") {
  struct {
    const char* name;
    Decide command;
    RefusalKind kind;
  } cases[] = {
      {"unknown option", at_decision().word("aprove"), RefusalKind::invalid_decision},
      {"no option", at_decision().word(""), RefusalKind::invalid_decision},
      {"required input", at_decision().word("rework"), RefusalKind::invalid_decision},
      {"blank input", at_decision().word("rework", "grace", " \n"), RefusalKind::invalid_decision},
      {"long input",
       at_decision().word("rework", "grace",
                          std::string(base::limits::kDecisionInputBytesMax + 1, 'x')),
       RefusalKind::invalid_decision},
      {"nobody", at_decision().word("approve", ""), RefusalKind::not_authorised},
      {"another decision", at_decision().word("approve"), RefusalKind::decision_closed},
      {"an old state", at_decision().word("approve"), RefusalKind::stale_version},
  };
  cases[6].command.decision = "decision-0";
  cases[7].command.version = 1;
  for (const auto& one : cases) {
    CAPTURE(std::string(one.name));
    Driver driver = at_decision();
    const Transition done = driver.apply(one.command);
    CHECK(refusal(done) == one.kind);
    CHECK_FALSE(done.reply.refusal->reason.empty());
    CHECK_FALSE(done.reply.refusal->required_action.empty());
  }
  // An option that takes no input.
  DecisionDemand plain = standard();
  plain.options[0].input = DecisionInput::none;
  CHECK(refusal(at_decision(plain).decide("approve", "grace", "well")) ==
        RefusalKind::invalid_decision);
}

TEST_CASE("decisions: who may decide") {
  DecisionDemand lead = standard();
  lead.role = "lead";
  Driver driver = at_decision(lead);
  CHECK(refusal(driver.decide("approve")) == RefusalKind::not_authorised);
  Decide command = driver.word("approve");
  command.roles = {"lead", "qa"};
  CHECK(driver.apply(command).reply.kind == Reply::Kind::accepted);

  DecisionDemand other = standard();
  other.not_submitter = true;
  Driver own = at_decision(other);
  CHECK(refusal(own.decide("approve", "assistant")) == RefusalKind::not_authorised);
  CHECK(own.decide("approve", "grace").reply.kind == Reply::Kind::accepted);
}

TEST_CASE("decisions: several approvers must choose the same, each once, one may send it back") {
  DecisionDemand two = standard();
  two.count = 2;
  Driver driver = at_decision(two);
  const Transition first = driver.decide("approve", "grace");
  CHECK(first.reply.kind == Reply::Kind::waiting);
  CHECK(driver.run.status == RunStatus::waiting);
  CHECK(driver.run.waiting.reason.find("1 of 2") != std::string::npos);
  CHECK(refusal(driver.decide("approve", "grace")) == RefusalKind::not_authorised);
  Driver changed = driver;
  CHECK(driver.decide("approve", "alan").reply.kind == Reply::Kind::accepted);
  CHECK(driver.run.find_accepted("2")->decided == 2);

  CHECK(changed.decide("rework", "grace", "I was wrong").reply.kind == Reply::Kind::sent_back);
  CHECK(changed.run.current_phase == "2");
  CHECK(changed.run.visit == 2);
  CHECK_FALSE(changed.run.decision);
}

TEST_CASE("decisions: sent back, done again, asked again (003-38, P-10)") {
  DecisionDemand demand = standard("3");
  demand.options[1].phase = "1";
  phases::LoadedWorkflow loaded = four(standard());
  loaded.workflow.phases[1].gate.decision.reset();
  loaded.workflow.phases[2].gate.decision = demand;
  Driver driver(loaded);
  driver.submit("1");
  driver.submit("2");
  driver.submit("3");
  const Transition back = driver.decide("rework", "grace", "The plan lacks a test");
  CHECK(back.reply.kind == Reply::Kind::sent_back);
  CHECK(kinds(back) ==
        std::vector<std::string>{"decision_answered", "phase_reopened", "phase_entered"});
  CHECK(Json::parse(back.journal[1].data)["no_longer_accepted"] == Json::array({"1", "2"}));
  CHECK(driver.run.current_phase == "1");
  CHECK(driver.run.visit == 2);
  CHECK(driver.run.status == RunStatus::active);
  REQUIRE(driver.run.feedback);
  CHECK(driver.run.feedback->input == "The plan lacks a test");
  CHECK(driver.run.feedback->by == "approver:grace");
  CHECK(driver.run.feedback->from_phase == "3");
  // What was reached stays readable, what was accepted counts no more.
  for (const char* phase : {"1", "2", "3"}) {
    CHECK_FALSE(refuse_reading(*driver.definition, driver.run, phase));
  }
  CHECK(refuse_reading(*driver.definition, driver.run, "4"));
  CHECK(driver.run.find_accepted("2") == nullptr);
  CHECK(driver.run.completed().empty());
  CHECK(gates_lead_here(driver.definition->workflow, driver.run));
  const Transition early = driver.submit("2");
  CHECK(early.reply.refusal->kind == RefusalKind::phase_sequence_violation);
  CHECK(driver.submit("1").reply.refusal->kind == RefusalKind::wrong_visit);
  CHECK(driver.submit("1", kDone, 1).reply.refusal->kind == RefusalKind::wrong_visit);

  const Transition again = driver.submit("1", kDone, 2);
  REQUIRE(again.reply.kind == Reply::Kind::accepted);
  CHECK(again.artifact->visit == 2);
  CHECK_FALSE(driver.run.feedback);
  CHECK(driver.run.visit == 2);
  driver.submit("2", kDone, 2);
  CHECK(driver.submit("3", kDone, 2).reply.kind == Reply::Kind::waiting);
  driver.decide("approve");
  CHECK(driver.run.current_phase == "4");
  CHECK(driver.run.visit == 1);
  CHECK(gates_lead_here(driver.definition->workflow, driver.run));
  driver.submit("4");
  CHECK(driver.run.status == RunStatus::completed);
  CHECK(driver.run.completed().size() == 4);
  CHECK(driver.run.accepted.size() == 6);
}

TEST_CASE("decisions: options that end the run, and the one that jumps ahead (003-58)") {
  DecisionDemand demand = standard();
  demand.options.push_back({"stop", "Stop", DecisionEffect::cancelled, "", DecisionInput::none});
  demand.options.push_back({"enough", "Enough", DecisionEffect::completed, "", {}});
  demand.options.push_back({"skip", "Skip", DecisionEffect::go_to, "4", {}});

  Driver rejected = at_decision(demand);
  const Transition no = rejected.decide("reject", "grace", "not like this");
  CHECK(no.reply.kind == Reply::Kind::rejected);
  CHECK(kinds(no) == std::vector<std::string>{"decision_answered", "run_rejected"});
  CHECK(rejected.run.status == RunStatus::rejected);
  CHECK(rejected.run.end_reason == "Rejected by approver:grace: not like this");
  CHECK(rejected.run.find_accepted("2") == nullptr);
  CHECK(rejected.submit("2").reply.refusal->kind == RefusalKind::run_ended);
  CHECK(refusal(rejected.decide("approve")) == RefusalKind::run_ended);

  Driver stopped = at_decision(demand);
  stopped.decide("stop");
  CHECK(stopped.run.status == RunStatus::cancelled);

  Driver enough = at_decision(demand);
  CHECK(enough.decide("enough").reply.kind == Reply::Kind::accepted);
  CHECK(enough.run.status == RunStatus::completed);
  CHECK(enough.run.current_phase == "2");

  Driver ahead = at_decision(demand);
  ahead.decide("skip");
  CHECK(ahead.run.current_phase == "4");
  CHECK(ahead.run.find_accepted("2")->went_to == "4");
  CHECK(gates_lead_here(ahead.definition->workflow, ahead.run));
  CHECK(refuse_reading(*ahead.definition, ahead.run, "3"));
  ahead.submit("4");
  CHECK(ahead.run.status == RunStatus::completed);
}

TEST_CASE("decisions: steps that are a person's, first, in the middle and last") {
  const auto decision = [](const std::string& id) {
    phases::Phase phase = test::phase(id, {});
    phase.gate.none = true;
    phase.by_person = true;
    phase.gate.decision = phases::standard_decision("Go on?", id, {});
    return phase;
  };
  Driver driver(test::workflow(
      "people",
      {decision("a"), decision("b"), test::phase("c", {test::boolean("done")}), decision("d")}));
  CHECK(driver.run.status == RunStatus::waiting);
  REQUIRE(driver.run.decision);
  CHECK(refusal(driver.submit("a", Json::object())) == RefusalKind::decision_required);
  const std::string first = driver.run.decision->id;
  const Transition one = driver.decide("approve", "grace", "go");
  CHECK(one.artifact->evidence == R"({"decision":"approve","label":"Approve","input":"go"})");
  REQUIRE(driver.run.decision);
  CHECK(driver.run.decision->id != first);
  CHECK(driver.run.current_phase == "b");
  driver.decide("rework", "grace", "once more");
  CHECK(driver.run.visit == 2);
  REQUIRE(driver.run.decision);
  driver.decide("approve");
  CHECK(driver.run.current_phase == "c");
  CHECK(driver.run.status == RunStatus::active);
  CHECK(driver.submit("c").reply.kind == Reply::Kind::accepted);
  CHECK(driver.run.waiting.code == "decision");
  driver.decide("approve");
  CHECK(driver.run.status == RunStatus::completed);
}

TEST_CASE("decisions: through the client only where the author says so, and never as proof") {
  DecisionDemand demand = standard();
  demand.channel = phases::DecisionChannel::client;
  Driver driver = at_decision(demand);
  const Transition done = driver.decide("approve", "");
  CHECK(done.reply.kind == Reply::Kind::accepted);
  CHECK(Json::parse(done.journal[0].data)["assurance"] == "unauthenticated");
  CHECK(driver.run.partial);
  CHECK(driver.run.find_accepted("2")->decided == 0);
  CHECK(driver.run.find_accepted("2")->deciders == std::vector<std::string>{"client"});
  // An approver's word counts there as well, and proves.
  Driver proven = at_decision(demand);
  proven.decide("approve", "grace");
  CHECK_FALSE(proven.run.partial);
}

TEST_CASE("decisions: while it is paused only an approver decides, and it stays paused") {
  DecisionDemand demand = standard();
  demand.channel = phases::DecisionChannel::client;
  for (const char* option : {"approve", "rework", "reject"}) {
    CAPTURE(std::string(option));
    Driver driver = at_decision(demand);
    driver.apply(PauseRun{true, "until Monday", "approver:ada", std::nullopt});
    const RunState before = driver.run;
    const Transition by_client = driver.decide(option, "", "words");
    REQUIRE(by_client.reply.refusal);
    CHECK(by_client.reply.refusal->kind == RefusalKind::paused);
    CHECK_FALSE(by_client.next);
    CHECK(driver.run == before);
  }
  Driver driver = at_decision(demand);
  driver.apply(PauseRun{true, "until Monday", "approver:ada", std::nullopt});
  CHECK_FALSE(driver.decide("approve", "grace").reply.refusal);
  CHECK(driver.run.current_phase == "3");
  CHECK(driver.run.waiting.code == "paused");
}

TEST_CASE("decisions: every state reads back as it was written") {
  DecisionDemand two = standard();
  two.count = 2;
  Driver driver = at_decision(two);
  const auto same = [&] {
    const auto read = run_state_from_json(to_json(driver.run));
    REQUIRE(read.ok());
    CHECK(*read == driver.run);
  };
  same();
  driver.decide("approve", "grace");
  same();
  driver.apply(PauseRun{true, "why", "ada", std::nullopt});
  same();
  driver.decide("rework", "alan", "more");
  same();
  driver.apply(PauseRun{false, "", "ada", std::nullopt});
  driver.submit("2", kDone, 2);
  driver.decide("approve", "grace");
  driver.decide("approve", "alan");
  same();
  Json strange = to_json(driver.run);
  strange["visits"]["2"] = 0;
  CHECK_FALSE(run_state_from_json(strange).ok());
}

}  // namespace
}  // namespace phasegate::gating
