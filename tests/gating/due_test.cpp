#include "gating/due.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/limits.h"
#include "gating/transition.h"
#include "tests/support/workflows.h"

namespace phasegate::gating {
namespace {

using base::Json;
using base::TimePoint;

constexpr std::int64_t kHour = 3'600'000;
constexpr std::int64_t kStalled = base::limits::kStalledAfterMs;

/// Phase 1 asks a person, who is reminded every hour; phase 2 asks nobody.
std::shared_ptr<const Definition> reminding() {
  phases::Phase first = test::phase("1", {test::boolean("done")});
  first.gate.decision = phases::standard_decision("Is it good?", "1", {});
  first.gate.decision->remind_after_ms = kHour;
  const auto loaded =
      test::workflow("reminding", {first, test::phase("2", {test::boolean("done")})});
  auto made = Definition::make(loaded.content_hash, loaded.workflow);
  REQUIRE(made.ok());
  return *made;
}

struct Timed {
  std::shared_ptr<const Definition> definition = reminding();
  TimePoint now{1'000'000};
  RunState run;

  Timed() {
    Start start;
    start.run_id = "00000000-0000-4000-8000-000000000001";
    start.principal = "ada";
    run = *begin(*definition, start, now).next;
  }

  Transition apply(const Command& command) {
    Transition done = transition(*definition, run, command, now);
    if (done.next) run = *done.next;
    return done;
  }
  Transition tick_after(std::int64_t ms) {
    now.ms += ms;
    return apply(Tick{});
  }
  void submit(const std::string& phase) {
    const Json evidence{{"done", true}};
    SubmitEvidence command;
    command.phase = phase;
    command.evidence = &evidence;
    command.evidence_text = base::dump(evidence);
    command.evidence_digest = std::string(64, 'a');
    command.actor = "assistant";
    command.decision_id = "d-" + phase;
    apply(command);
  }
};

std::string event(const Transition& done) {
  if (done.effects.empty()) return "";
  REQUIRE(done.effects.size() == 1);
  CHECK(done.effects[0].kind == kNotify);
  return Json::parse(done.effects[0].payload)["event"].get<std::string>();
}

TEST_CASE(
    "due: people are reminded of an open decision, again and again, and time decides nothing") {
  Timed timed;
  timed.submit("1");
  REQUIRE(timed.run.decision);
  const std::int64_t version = timed.run.version;
  const TimePoint changed = timed.run.updated_at;
  CHECK(timed.run.due_at == TimePoint{timed.now.ms + kHour});

  CHECK_FALSE(timed.tick_after(kHour - 1).next);
  // Each time after twice as long, up to a day.
  const std::int64_t hours[] = {1, 2, 4, 8, 16, 24, 24};
  std::int64_t waited = kHour - 1;
  for (int reminders = 1; reminders <= 6; ++reminders) {
    CAPTURE(reminders);
    const Transition done = timed.tick_after(hours[reminders - 1] * kHour - waited);
    waited = 0;
    CHECK(event(done) == "decision_reminded");
    CHECK(done.journal.size() == 1);
    CHECK(timed.run.decision->reminders == reminders);
    CHECK(timed.run.due_at == TimePoint{timed.now.ms + hours[reminders] * kHour});
  }
  // A hundred years change nothing but that.
  CHECK(event(timed.tick_after(100 * 365 * 24 * kHour)) == "decision_reminded");
  CHECK(timed.run.current_phase == "1");
  CHECK(timed.run.status == RunStatus::waiting);
  CHECK(timed.run.accepted.empty());
  // Nobody who saw the run before is refused because of it.
  CHECK(timed.run.version == version);
  CHECK(timed.run.updated_at == changed);
}

TEST_CASE("due: nobody is reminded while the session is paused, and at once afterwards") {
  Timed timed;
  timed.submit("1");
  timed.apply(PauseRun{true, "", "ada", std::nullopt});
  CHECK_FALSE(timed.run.due_at);
  CHECK_FALSE(timed.tick_after(2 * kHour).next);
  timed.apply(PauseRun{false, "", "ada", std::nullopt});
  CHECK(timed.run.due_at->ms <= timed.now.ms);
  CHECK(event(timed.tick_after(0)) == "decision_reminded");
}

TEST_CASE("due: of a session that nobody goes on with people are told once") {
  Timed timed;
  CHECK(timed.run.due_at == TimePoint{timed.now.ms + kStalled});
  CHECK_FALSE(timed.tick_after(kStalled - 1).next);
  CHECK_FALSE(is_stalled(timed.run, timed.now));
  const std::int64_t version = timed.run.version;
  const Transition told = timed.tick_after(1);
  CHECK(event(told) == "run_stalled");
  CHECK(Json::parse(told.effects[0].payload)["idle_ms"] == kStalled);
  CHECK(is_stalled(timed.run, timed.now));
  CHECK(timed.run.version == version);
  CHECK_FALSE(timed.run.due_at);
  CHECK_FALSE(timed.tick_after(kStalled).next);

  // Whoever goes on begins a new stretch, also with evidence that is refused.
  timed.submit("2");
  CHECK_FALSE(timed.run.told_stalled);
  if (timed.run.due_at) CHECK(timed.run.due_at->ms > timed.now.ms);
}

TEST_CASE("due: an ended session is never due") {
  Timed timed;
  timed.apply(Cancel{"enough", "ada", "", std::nullopt});
  CHECK_FALSE(timed.run.due_at);
  CHECK_FALSE(timed.tick_after(kStalled).next);
}

TEST_CASE("due: a stored time that is wrong is put right, and is not due for ever") {
  Timed timed;
  timed.run.due_at = TimePoint{1};
  const Transition done = timed.tick_after(5);
  REQUIRE(done.next);
  CHECK(done.effects.empty());
  CHECK(done.journal.empty());
  CHECK(timed.run.due_at == TimePoint{1'000'000 + kStalled});
}

TEST_CASE("due: what is due is kept with the session") {
  Timed timed;
  timed.tick_after(kStalled);
  timed.run.due_at = TimePoint{77};
  const auto read = run_state_from_json(to_json(timed.run));
  REQUIRE(read.ok());
  CHECK(*read == timed.run);
}

TEST_CASE("notifications that could not be made leave a line in the journal and nothing else") {
  Timed timed;
  const RunState before = timed.run;
  const Transition done = timed.apply(Untold{"run_stalled", "desk", "nobody answers there"});
  REQUIRE(done.journal.size() == 1);
  CHECK(done.journal[0].kind == "notification_lost");
  CHECK(done.journal[0].data.find("desk") != std::string::npos);
  CHECK(done.effects.empty());
  CHECK(timed.run == before);
}

}  // namespace
}  // namespace phasegate::gating
