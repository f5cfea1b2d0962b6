#include <string>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/limits.h"
#include "gating/transition.h"
#include "gating/visibility.h"
#include "tests/gating/decision_support.h"

namespace phasegate::gating {
namespace {

TEST_CASE("reopen: an approver goes back, also when the run is complete (P-10)") {
  Driver driver = at_decision();
  driver.decide("approve");
  driver.submit("3");
  driver.submit("4");
  REQUIRE(driver.run.status == RunStatus::completed);
  Reopen command;
  command.phase = "2";
  command.reason = "a defect";
  command.approver = "grace";
  command.channel = "terminal";
  command.decision_id = "decision-x";
  for (const char* phase : {"9", ""}) {
    Reopen wrong = command;
    wrong.phase = phase;
    CHECK(refusal(driver.apply(wrong)) == RefusalKind::reopen_refused);
  }
  Reopen silent = command;
  silent.reason = " ";
  CHECK(refusal(driver.apply(silent)) == RefusalKind::reopen_refused);
  Reopen nobody = command;
  nobody.approver = "";
  CHECK(refusal(driver.apply(nobody)) == RefusalKind::not_authorised);
  const Transition back = driver.apply(command);
  CHECK(back.reply.kind == Reply::Kind::reopened);
  CHECK(kinds(back) ==
        std::vector<std::string>{"reopen_demanded", "phase_reopened", "phase_entered"});
  CHECK(driver.run.status == RunStatus::active);
  CHECK(driver.run.current_phase == "2");
  CHECK(driver.run.visit == 2);
  CHECK(driver.run.find_accepted("1") != nullptr);
  CHECK(driver.run.find_accepted("3") == nullptr);
  CHECK(refusal(driver.apply(command)) == RefusalKind::reopen_refused);

  Driver cancelled = at_decision();
  cancelled.apply(Cancel{"enough", "ada", "", std::nullopt});
  CHECK_FALSE(cancelled.run.decision);
  CHECK(refusal(cancelled.apply(command)) == RefusalKind::reopen_refused);
}

TEST_CASE("going back has an end (invariant 8)") {
  Driver driver = at_decision();
  int visits = 1;
  for (; visits < base::limits::kVisitsMax; ++visits) {
    REQUIRE(driver.decide("rework", "grace", "again").next);
    REQUIRE(driver.submit("2", kDone, driver.run.visit).next);
  }
  CHECK(refusal(driver.decide("rework", "grace", "again")) == RefusalKind::too_many_visits);
  CHECK(driver.decide("approve").reply.kind == Reply::Kind::accepted);
}

TEST_CASE("pause: nothing is handed over, nothing is lost, and it goes on where it was") {
  Driver driver(four(standard()));
  const Transition paused = driver.apply(PauseRun{true, "lunch", "ada", std::nullopt});
  CHECK(paused.reply.kind == Reply::Kind::paused);
  CHECK(driver.run.status == RunStatus::waiting);
  CHECK(driver.run.waiting.reason == "A person has paused the session: lunch");
  CHECK(refusal(driver.submit("1")) == RefusalKind::paused);
  CHECK(driver.apply(PauseRun{true, "", "ada", std::nullopt}).reply.kind == Reply::Kind::unchanged);
  CHECK(driver.apply(PauseRun{false, "", "ada", std::nullopt}).reply.kind == Reply::Kind::resumed);
  CHECK(driver.run.status == RunStatus::active);
  CHECK(driver.run.waiting.code.empty());
  driver.submit("1");
  driver.submit("2");
  driver.apply(PauseRun{true, "", "ada", std::nullopt});
  CHECK(driver.run.waiting.code == "paused");
  driver.decide("approve");
  CHECK(driver.run.current_phase == "3");
  CHECK(driver.run.waiting.code == "paused");
  driver.apply(PauseRun{false, "", "ada", std::nullopt});
  CHECK(driver.run.status == RunStatus::active);
}

TEST_CASE("reminders come when they are due, and never pass a gate") {
  DecisionDemand demand = standard();
  demand.remind_after_ms = 60'000;
  Driver driver = at_decision(demand);
  CHECK_FALSE(driver.apply(Tick{}).next);
  for (int i = 1; i <= 3; ++i) {
    driver.now.ms += 60'000 << (i - 1);
    const Transition due = driver.apply(Tick{});
    REQUIRE(due.next);
    CHECK(kinds(due) == std::vector<std::string>{"decision_reminded"});
    CHECK(driver.run.decision->reminders == i);
    CHECK_FALSE(driver.apply(Tick{}).next);
  }
  CHECK(driver.run.status == RunStatus::waiting);
  // A clock that goes back reminds nobody early.
  driver.now.ms = 0;
  CHECK_FALSE(driver.apply(Tick{}).next);
}

}  // namespace
}  // namespace phasegate::gating
