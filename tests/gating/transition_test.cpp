#include "gating/transition.h"

#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/json.h"
#include "tests/support/workflows.h"

namespace phasegate::gating {
namespace {

using base::Json;
using base::TimePoint;

/// A run that is driven by commands, as the engine would, without a store.
struct Driver {
  std::shared_ptr<const Definition> definition;
  RunState run;
  TimePoint now{1'000'000};

  explicit Driver(const phases::LoadedWorkflow& loaded, GatePolicy gates = GatePolicy::strict) {
    auto made = Definition::make(loaded.content_hash, loaded.workflow);
    REQUIRE_MESSAGE(made.ok(), (made.ok() ? "" : base::to_text(made.error())));
    definition = *made;
    Start start;
    start.run_id = "00000000-0000-4000-8000-000000000001";
    start.principal = "ada";
    start.gates = gates;
    run = *begin(*definition, start, now).next;
  }

  Transition submit(const std::string& phase, const Json& evidence,
                    std::optional<int> visit = std::nullopt,
                    std::optional<std::int64_t> version = std::nullopt) {
    now.ms += 10;
    SubmitEvidence command;
    command.phase = phase;
    command.evidence = &evidence;
    command.evidence_text = base::dump(evidence);
    command.evidence_digest = base::sha256_hex(base::dump_canonical(evidence));
    command.visit = visit;
    command.version = version;
    command.actor = "ada";
    Transition done = transition(*definition, run, command, now);
    if (done.next) run = *done.next;
    return done;
  }
};

const Json kDone{{"done", true}};

phases::LoadedWorkflow three() {
  return test::workflow("three", {test::phase("0", {test::boolean("done")}),
                                  test::phase("1", {test::boolean("done")}),
                                  test::phase("2", {test::boolean("done")})});
}

TEST_CASE("a run begins in its first phase and journals it (004-38, P-1)") {
  Driver driver(three());
  CHECK(driver.run.current_phase == "0");
  CHECK(driver.run.status == RunStatus::active);
  CHECK(driver.run.created_at == driver.now);
}

TEST_CASE("evidence under an alias is kept, digested and repeated under the published name") {
  phases::Requirement done = test::boolean("done");
  done.aliases = {"Finished"};
  Driver driver(
      test::workflow("two", {test::phase("0", {done}), test::phase("1", {test::boolean("done")})}));
  const Transition taken = driver.submit("0", Json{{"finished", true}, {"more", 1}});
  REQUIRE(taken.reply.kind == Reply::Kind::accepted);
  CHECK(taken.reply.verdict.aliases_taken == std::vector<AliasTaken>{{"finished", "done"}});
  CHECK(taken.reply.verdict.extra_fields == std::vector<std::string>{"more"});
  REQUIRE(taken.artifact.has_value());
  CHECK(taken.artifact->evidence == R"({"done":true,"more":1})");
  const Json journal = Json::parse(taken.journal.at(0).data);
  CHECK(journal["evidence"] == Json{{"done", true}, {"more", 1}});
  CHECK(journal["aliases_taken"] == Json{{"finished", "done"}});
  CHECK(driver.submit("0", Json{{"done", true}, {"more", 1}}).reply.kind == Reply::Kind::repeated);
  CHECK(driver.submit("0", Json{{"FINISHED", true}, {"more", 1}}).reply.kind ==
        Reply::Kind::repeated);
  CHECK(driver.submit("1", Json{{"finished", true}}).reply.kind == Reply::Kind::refused);
}

TEST_CASE("004-28: success completes the phase and moves exactly one on") {
  Driver driver(three());
  const Transition done = driver.submit("0", kDone);
  CHECK(done.reply.kind == Reply::Kind::accepted);
  CHECK(driver.run.current_phase == "1");
  REQUIRE(driver.run.accepted.size() == 1);
  CHECK(driver.run.accepted[0].phase == "0");
  CHECK(driver.run.accepted[0].self_attested == 1);
  REQUIRE(done.artifact);
  CHECK(done.artifact->evidence == R"({"done":true})");
  REQUIRE(done.journal.size() == 2);
  CHECK(done.journal[0].kind == "phase_completed");
  CHECK(done.journal[0].actor == "ada");
  CHECK(done.journal[1].kind == "phase_entered");
  CHECK(done.journal[1].phase == "1");
}

TEST_CASE(
    "004-25, 004-26, P-11: failure keeps the phase, counts the attempt and journals the evidence") {
  Driver driver(three());
  const Transition done = driver.submit("0", Json{{"done", false}});
  REQUIRE(done.reply.refusal);
  CHECK(done.reply.refusal->kind == RefusalKind::incomplete_checkpoint);
  CHECK(done.reply.refusal->message == "Complete checkpoint requirements to proceed");
  CHECK(driver.run.current_phase == "0");
  CHECK(driver.run.attempts == 1);
  CHECK(driver.run.missing == std::vector<std::string>{"done"});
  REQUIRE(done.journal.size() == 1);
  CHECK(Json::parse(done.journal[0].data)["evidence"]["done"] == false);
  CHECK_FALSE(done.artifact);
  CHECK(driver.submit("0", kDone).reply.kind == Reply::Kind::accepted);
  CHECK(driver.run.accepted[0].attempt == 2);
  CHECK(driver.run.missing.empty());
}

TEST_CASE(
    "P-4, P-11: completing a phase that is not current is refused, on record, and moves nothing") {
  Driver driver(three());
  for (const char* phase : {"1", "2", "7", "zzz"}) {
    CAPTURE(phase);
    const RunState before = driver.run;
    const Transition done = driver.submit(phase, kDone);
    REQUIRE(done.reply.refusal);
    CHECK(done.reply.refusal->kind == RefusalKind::phase_sequence_violation);
    CHECK(done.reply.refusal->message == "Cannot access Phase " + std::string(phase));
    CHECK(done.reply.refusal->reason == "Currently on Phase 0");
    CHECK(done.reply.refusal->required_action == "Complete Phase 0 checkpoint first");
    REQUIRE(done.journal.size() == 1);
    CHECK(done.journal[0].kind == "sequence_violation");
    CHECK(Json::parse(done.journal[0].data)["requested_phase"] == phase);
    RunState moved = driver.run;
    moved.version = before.version;
    moved.updated_at = before.updated_at;
    moved.due_at = before.due_at;
    CHECK(moved == before);
  }
}

TEST_CASE("invariant 5: a repeat is answered the same, other evidence is refused") {
  Driver driver(three());
  const Transition first = driver.submit("0", kDone);
  driver.submit("1", kDone);
  const RunState before = driver.run;
  const Transition again = driver.submit("0", Json::parse(R"({ "done" : true })"));
  CHECK(again.reply.kind == Reply::Kind::repeated);
  CHECK(again.reply.accepted == first.reply.accepted);
  CHECK_FALSE(again.next);
  const Transition other = driver.submit("0", Json{{"done", true}, {"more", 1}});
  REQUIRE(other.reply.refusal);
  CHECK(other.reply.refusal->kind == RefusalKind::phase_sequence_violation);
  CHECK(other.reply.refusal->accepted_at == first.reply.accepted->accepted_at);
  CHECK(other.reply.refusal->required_action ==
        "Nothing more is needed for Phase 0; go on with Phase 2");
  CHECK(other.journal[0].kind == "sequence_violation");
  CHECK(driver.run.accepted == before.accepted);
  CHECK(driver.run.current_phase == before.current_phase);
}

TEST_CASE("004-30: after the last phase the run is complete and takes nothing more") {
  Driver driver(three());
  driver.submit("0", kDone);
  driver.submit("1", kDone);
  const Transition last = driver.submit("2", kDone);
  CHECK(driver.run.status == RunStatus::completed);
  CHECK_FALSE(driver.run.partial);
  CHECK(last.journal.back().kind == "run_completed");
  CHECK(driver.submit("2", kDone).reply.kind == Reply::Kind::repeated);
  CHECK(driver.submit("2", Json::object()).reply.refusal->kind ==
        RefusalKind::phase_sequence_violation);
  CHECK(driver.submit("3", kDone).reply.refusal->kind == RefusalKind::run_ended);
}

TEST_CASE("a dynamic part leaves the run waiting, never completed") {
  auto loaded = three();
  loaded.workflow.dynamic_reason = "phases from tasks.md are not supported yet";
  Driver driver(loaded);
  driver.submit("0", kDone);
  driver.submit("1", kDone);
  const Transition last = driver.submit("2", kDone);
  CHECK(last.reply.kind == Reply::Kind::accepted);
  CHECK(driver.run.status == RunStatus::waiting);
  CHECK(driver.run.waiting.code == "dynamic_unsupported");
  CHECK(driver.submit("2", kDone).reply.kind == Reply::Kind::repeated);
  const Transition next = driver.submit("3", kDone);
  CHECK(next.reply.refusal->kind == RefusalKind::phase_sequence_violation);
}

TEST_CASE("a gate that asks for a person stays shut, even with perfect evidence") {
  auto loaded = three();
  loaded.workflow.phases[1].gate.human_approval = true;
  Driver driver(loaded);
  driver.submit("0", kDone);
  const Transition bad = driver.submit("1", Json::object());
  CHECK(bad.reply.refusal->kind == RefusalKind::incomplete_checkpoint);
  for (int i = 0; i < 3; ++i) {
    const Transition good = driver.submit("1", kDone);
    CHECK(good.reply.kind == Reply::Kind::waiting);
    CHECK(driver.run.status == RunStatus::waiting);
    CHECK(driver.run.current_phase == "1");
    CHECK_FALSE(good.artifact);
  }
  CHECK(driver.submit("2", kDone).reply.refusal->kind == RefusalKind::phase_sequence_violation);
}

TEST_CASE("leniency in a gate file opens nothing, unless the policy honours it and marks it") {
  auto loaded = three();
  loaded.workflow.phases[0].gate.asks_leniency = true;
  Driver strict(loaded);
  CHECK(strict.submit("0", Json::object()).reply.kind == Reply::Kind::refused);
  Driver lenient(loaded, GatePolicy::as_written);
  CHECK(lenient.submit("0", Json::array()).reply.kind == Reply::Kind::refused);
  const Transition done = lenient.submit("0", Json::object());
  CHECK(done.reply.kind == Reply::Kind::accepted);
  CHECK(done.reply.accepted->lenient);
  CHECK_FALSE(done.reply.verdict.problems.empty());
  CHECK(lenient.run.partial);
  CHECK(lenient.submit("1", Json::object()).reply.kind == Reply::Kind::refused);
}

TEST_CASE("a weak gate makes the outcome partial") {
  auto loaded = three();
  loaded.workflow.phases[0].gate.weak = true;
  Driver driver(loaded);
  CHECK(driver.submit("0", kDone).reply.accepted->weak);
  driver.submit("1", kDone);
  driver.submit("2", kDone);
  CHECK(driver.run.status == RunStatus::completed);
  CHECK(driver.run.partial);
}

TEST_CASE("a stale version and a wrong visit are refused") {
  Driver driver(three());
  const auto seen = driver.run.version;
  driver.submit("0", Json::object());
  CHECK(driver.submit("0", kDone, std::nullopt, seen).reply.refusal->kind ==
        RefusalKind::stale_version);
  CHECK(driver.submit("0", kDone, 2).reply.refusal->kind == RefusalKind::wrong_visit);
  CHECK(driver.submit("0", kDone, 1, driver.run.version).reply.kind == Reply::Kind::accepted);
}

TEST_CASE("a run's time never goes back") {
  Driver driver(three());
  driver.submit("0", kDone);
  const TimePoint before = driver.run.updated_at;
  driver.now.ms = 5;
  driver.submit("1", kDone);
  CHECK(driver.run.updated_at == before);
}

TEST_CASE("cancel ends an open run once, with its reason") {
  Driver driver(three());
  Cancel command;
  command.actor = "ada";
  command.reason = "wrong target";
  const Transition done = transition(*driver.definition, driver.run, command, driver.now);
  REQUIRE(done.next);
  CHECK(done.next->status == RunStatus::cancelled);
  CHECK(done.next->end_reason == "wrong target");
  const Transition again = transition(*driver.definition, *done.next, command, driver.now);
  CHECK(again.reply.refusal->kind == RefusalKind::run_ended);
  driver.run = *done.next;
  CHECK(driver.submit("0", kDone).reply.refusal->kind == RefusalKind::run_ended);
}

TEST_CASE(
    "004-03, 004-04, 004-05, 004-06: the current and completed phases may be read, no other") {
  Driver driver(three());
  driver.submit("0", kDone);
  CHECK_FALSE(refuse_reading(*driver.definition, driver.run, "0"));
  CHECK_FALSE(refuse_reading(*driver.definition, driver.run, "1"));
  const auto later = refuse_reading(*driver.definition, driver.run, "2");
  const auto unknown = refuse_reading(*driver.definition, driver.run, "9");
  REQUIRE(later);
  REQUIRE(unknown);
  // Asking for what does not exist tells no more than asking for what comes later.
  CHECK(later->reason == unknown->reason);
  CHECK(later->required_action == unknown->required_action);
  CHECK(later->kind == unknown->kind);
}

TEST_CASE("a definition that cannot gate does not exist") {
  auto none = three();
  none.workflow.phases.clear();
  CHECK_FALSE(Definition::make("h", none.workflow).ok());
  auto twice = three();
  twice.workflow.phases[1].id = "0";
  CHECK_FALSE(Definition::make("h", twice.workflow).ok());
  auto open_gate = three();
  open_gate.workflow.phases[1].gate.requirements.clear();
  CHECK_FALSE(Definition::make("h", open_gate.workflow).ok());
  auto broken = three();
  broken.findings.push_back(
      {phases::Severity::error, "x", "the cause", "", {"metadata.json", 3}, ""});
  CHECK(definition_of(broken).error().message.find("the cause") != std::string::npos);
}

}  // namespace
}  // namespace phasegate::gating
