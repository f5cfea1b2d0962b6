#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/json.h"
#include "gating/transition.h"
#include "tests/support/workflows.h"

namespace phasegate::gating {
namespace {

using base::Json;
using base::TimePoint;

phases::Check count_check() {
  phases::Check check;
  check.name = "functions";
  check.kind = phases::CheckKind::count;
  check.parameters = R"({"files":["src/**"],"pattern":"^def "})";
  check.source = {"workflow.yaml", 12, 0, 0};
  return check;
}

/// Phase 1 asks for a number that a check finds out, phase 2 for a boolean.
phases::LoadedWorkflow counted(bool person = false) {
  phases::Phase first = test::phase("1", {test::integer("function_count", 0)});
  first.gate.requirements[0].check = "functions";
  first.gate.checks = {count_check()};
  first.gate.human_approval = person;
  return test::workflow("counted", {first, test::phase("2", {test::boolean("done")})});
}

struct Driver {
  std::shared_ptr<const Definition> definition;
  RunState run;
  TimePoint now{1'000'000};

  explicit Driver(const phases::LoadedWorkflow& loaded) {
    auto made = Definition::make(loaded.content_hash, loaded.workflow);
    REQUIRE_MESSAGE(made.ok(), (made.ok() ? "" : base::to_text(made.error())));
    definition = *made;
    Start start;
    start.run_id = "00000000-0000-4000-8000-000000000001";
    run = *begin(*definition, start, now).next;
  }

  Transition apply(const Command& command) {
    now.ms += 10;
    Transition done = transition(*definition, run, command, now);
    if (done.next) run = *done.next;
    return done;
  }
  Transition submit(const std::string& phase, const Json& evidence) {
    SubmitEvidence command;
    command.phase = phase;
    command.evidence = &evidence;
    command.evidence_text = base::dump(evidence);
    command.evidence_digest = base::sha256_hex(base::dump_canonical(evidence));
    command.actor = "ada";
    return apply(command);
  }
  /// What the engine brings back for what is pending, if the check found `value`.
  [[nodiscard]] ChecksFinished finished(CheckOutcome outcome, const std::string& value) const {
    ChecksFinished command;
    command.phase = run.current_phase;
    command.visit = run.visit;
    command.attempt = run.pending ? run.pending->attempt : run.attempts;
    command.evidence_digest = run.pending ? run.pending->evidence_digest : "";
    CheckResult result = errored(count_check(), "");
    result.outcome = outcome;
    result.value = value;
    command.results = {result};
    return command;
  }
};

const Json kThree{{"function_count", 3}};
const Json kFour{{"function_count", 4}};

TEST_CASE("evidence whose gate has checks is kept and opens nothing (ARCHITECTURE §5, 004-26)") {
  Driver driver(counted());
  const Transition done = driver.submit("1", kThree);
  CHECK(done.reply.kind == Reply::Kind::verifying);
  CHECK(driver.run.current_phase == "1");
  CHECK(driver.run.accepted.empty());
  REQUIRE(driver.run.pending);
  CHECK(driver.run.pending->attempt == 1);
  REQUIRE(done.effects.size() == 1);
  CHECK(done.effects[0].kind == kRunChecks);
  REQUIRE(done.journal.size() == 1);
  CHECK(done.journal[0].kind == "evidence_submitted");
  CHECK_FALSE(done.artifact.has_value());

  SUBCASE("the same evidence again waits for the same checks and is no new attempt") {
    const Transition again = driver.submit("1", kThree);
    CHECK(again.reply.kind == Reply::Kind::verifying);
    CHECK_FALSE(again.next.has_value());
    CHECK(again.effects.empty());
  }
  SUBCASE("other evidence has to wait") {
    const Transition other = driver.submit("1", kFour);
    REQUIRE(other.reply.refusal);
    CHECK(other.reply.refusal->kind == RefusalKind::verifying);
    CHECK(driver.run.pending->attempt == 1);
  }
  SUBCASE("evidence for the phase behind is out of turn all the same") {
    const Transition ahead = driver.submit("2", Json{{"done", true}});
    REQUIRE(ahead.reply.refusal);
    CHECK(ahead.reply.refusal->kind == RefusalKind::phase_sequence_violation);
    CHECK(driver.run.pending);
  }
  SUBCASE("what the engine saw opens the gate, and counts as checked") {
    const Transition passed = driver.apply(driver.finished(CheckOutcome::passed, "3"));
    CHECK(passed.reply.kind == Reply::Kind::accepted);
    CHECK(driver.run.current_phase == "2");
    CHECK_FALSE(driver.run.pending);
    REQUIRE(driver.run.accepted.size() == 1);
    CHECK(driver.run.accepted[0].checked == 1);
    CHECK(driver.run.accepted[0].self_attested == 0);
    REQUIRE(passed.artifact);
    CHECK(passed.artifact->evidence == base::dump(kThree));
    CHECK(driver.submit("1", kThree).reply.kind == Reply::Kind::repeated);
  }
  SUBCASE("a claim that is not what the check found keeps it shut") {
    const Transition refused = driver.apply(driver.finished(CheckOutcome::passed, "2"));
    REQUIRE(refused.reply.refusal);
    CHECK(refused.reply.refusal->kind == RefusalKind::checks_failed);
    REQUIRE(refused.reply.verdict.problems.size() == 1);
    CHECK(refused.reply.verdict.problems[0].field == "function_count");
    CHECK(driver.run.current_phase == "1");
  }
  SUBCASE("whatever is not passed keeps it shut (invariant 3)") {
    for (const CheckOutcome outcome : {CheckOutcome::failed, CheckOutcome::errored}) {
      CAPTURE(to_text(outcome));
      Driver other(counted());
      (void)other.submit("1", kThree);
      const Transition refused = other.apply(other.finished(outcome, "3"));
      REQUIRE(refused.reply.refusal);
      CHECK(refused.reply.refusal->kind == RefusalKind::checks_failed);
      CHECK(other.run.missing == std::vector<std::string>{"functions"});
      CHECK(other.run.accepted.empty());
      REQUIRE(refused.journal.size() == 1);
      CHECK(refused.journal[0].kind == "checks_failed");
    }
  }
  SUBCASE("a check that its author lets be left out opens it and makes the outcome partial") {
    (void)driver.apply(driver.finished(CheckOutcome::skipped, ""));
    REQUIRE(driver.run.accepted.size() == 1);
    CHECK(driver.run.accepted[0].skipped == 1);
    CHECK(driver.run.partial);
  }
  SUBCASE("results that lack a check, or have none, open nothing") {
    ChecksFinished none = driver.finished(CheckOutcome::passed, "3");
    none.results.clear();
    CHECK(driver.apply(none).reply.refusal.has_value());
    CHECK(driver.run.accepted.empty());
  }
}

TEST_CASE("only results of the pending attempt count (ARCHITECTURE §3: superseded attempts)") {
  Driver driver(counted());
  (void)driver.submit("1", kThree);
  const ChecksFinished right = driver.finished(CheckOutcome::passed, "3");
  const auto refused = [&](ChecksFinished command) {
    const RunState before = driver.run;
    const Transition done = driver.apply(command);
    REQUIRE(done.reply.refusal);
    CHECK(done.reply.refusal->kind == RefusalKind::superseded);
    CHECK_FALSE(done.next.has_value());
    CHECK(driver.run == before);
  };
  ChecksFinished wrong = right;
  wrong.attempt = 2;
  refused(wrong);
  wrong = right;
  wrong.visit = 2;
  refused(wrong);
  wrong = right;
  wrong.evidence_digest = "0";
  refused(wrong);
  wrong = right;
  wrong.phase = "2";
  refused(wrong);
  (void)driver.apply(right);
  CHECK(driver.run.current_phase == "2");
  refused(right);

  Driver cancelled(counted());
  (void)cancelled.submit("1", kThree);
  const ChecksFinished late = cancelled.finished(CheckOutcome::passed, "3");
  (void)cancelled.apply(Cancel{"enough", "ada", "", std::nullopt});
  CHECK(cancelled.apply(late).reply.refusal->kind == RefusalKind::superseded);
  CHECK(cancelled.run.status == RunStatus::cancelled);
}

TEST_CASE("results that nobody waited for are told once to who asks with the same evidence") {
  Driver driver(counted());
  (void)driver.submit("1", kThree);
  (void)driver.apply(driver.finished(CheckOutcome::failed, "2"));
  REQUIRE(driver.run.verified);
  CHECK_FALSE(driver.run.verified->told);

  const Transition told = driver.submit("1", kThree);
  REQUIRE(told.reply.refusal);
  CHECK(told.reply.refusal->kind == RefusalKind::checks_failed);
  CHECK(told.reply.checks.size() == 1);
  CHECK(told.effects.empty());
  CHECK(driver.run.attempts == 1);

  const Transition anew = driver.submit("1", kThree);
  CHECK(anew.reply.kind == Reply::Kind::verifying);
  CHECK(driver.run.attempts == 2);

  Driver other(counted());
  (void)other.submit("1", kThree);
  (void)other.apply(other.finished(CheckOutcome::failed, "2"));
  CHECK(other.submit("1", kFour).reply.kind == Reply::Kind::verifying);
}

TEST_CASE("a person decides after the checks, never instead of them (ARCHITECTURE §5)") {
  Driver driver(counted(true));
  CHECK(driver.submit("1", kThree).reply.kind == Reply::Kind::verifying);
  const Transition failed = driver.apply(driver.finished(CheckOutcome::failed, "3"));
  CHECK(failed.reply.refusal->kind == RefusalKind::checks_failed);
  CHECK(driver.run.status == RunStatus::active);
  (void)driver.submit("1", kThree);
  (void)driver.submit("1", kThree);
  const Transition passed = driver.apply(driver.finished(CheckOutcome::passed, "3"));
  CHECK(passed.reply.kind == Reply::Kind::waiting);
  REQUIRE(driver.run.decision);
  CHECK(driver.run.decision->checks.size() == 1);
  CHECK(driver.run.status == RunStatus::waiting);
  CHECK(driver.run.accepted.empty());
}

TEST_CASE("what is pending and what was seen survive being stored (invariant 4)") {
  Driver driver(counted());
  (void)driver.submit("1", kThree);
  const auto read = run_state_from_json(to_json(driver.run));
  REQUIRE(read.ok());
  CHECK(*read == driver.run);
  (void)driver.apply(driver.finished(CheckOutcome::failed, "2"));
  const auto again = run_state_from_json(to_json(driver.run));
  REQUIRE(again.ok());
  CHECK(*again == driver.run);
}

TEST_CASE("what is observed is kept as blobs that the state names") {
  Driver driver(counted());
  Start start;
  start.run_id = "00000000-0000-4000-8000-000000000002";
  start.started = "{\"commit\":\"c\"}";
  const Transition first = begin(*driver.definition, start, driver.now);
  REQUIRE(first.next);
  CHECK(first.next->started == base::sha256_hex(start.started));
  CHECK(first.blobs.at(first.next->started) == start.started);
  CHECK(first.next->entered.empty());

  (void)driver.submit("1", kThree);
  ChecksFinished command = driver.finished(CheckOutcome::passed, "3");
  command.entered = "{\"a\":\"1\"}";
  const Transition passed = driver.apply(command);
  CHECK(passed.blobs.at(driver.run.entered) == command.entered);
  CHECK(driver.run.entered_at == driver.now);
}

}  // namespace
}  // namespace phasegate::gating
