#include <doctest/doctest.h>

#include "base/json.h"
#include "state/db.h"
#include "tests/gating/engine/verification_support.h"

namespace phasegate::gating::engine {
namespace {

TEST_CASE("checks are carried out, and their results answer the call (ARCHITECTURE §5)") {
  Processes machine(checked());
  auto one = machine.process(1);
  const std::string run = Processes::start(*one.engine);

  SUBCASE("passed") {
    const CompleteReply reply = Processes::complete(*one.engine, run, kEvidence);
    CHECK(reply.reply.kind == Reply::Kind::accepted);
    CHECK(reply.view.run.current_phase == "2");
    REQUIRE(reply.reply.checks.size() == 1);
    CHECK(machine.world.asked == 1);
    CHECK(machine.world.seen_started == machine.world.started);
    CHECK_FALSE(reply.view.run.entered.empty());
    CHECK_FALSE(one.store->outbox().find(run, kRunChecks).has_value());
  }
  SUBCASE("failed: told, journalled and to be seen in the status; rework runs them again") {
    machine.world.outcome = CheckOutcome::failed;
    const CompleteReply reply = Processes::complete(*one.engine, run, kEvidence);
    REQUIRE(reply.reply.refusal);
    CHECK(reply.reply.refusal->kind == RefusalKind::checks_failed);
    REQUIRE(reply.view.run.verified);
    CHECK(reply.view.run.verified->told);
    const auto journal = one.engine->journal(run, 0, 100);
    REQUIRE(journal.ok());
    CHECK(journal->back().entry.kind == "checks_failed");
    CHECK(journal->back().entry.actor == "engine");
    machine.world.outcome = CheckOutcome::passed;
    CHECK(Processes::complete(*one.engine, run, kEvidence).reply.kind == Reply::Kind::accepted);
    CHECK(machine.world.asked == 2);
  }
  SUBCASE("without a world the gate stays shut") {
    auto blind = machine.process(2);
    Engine::Ports ports{machine.workflows, blind.store->runs(), machine.clock, machine.ids};
    Engine engine(ports, {});
    const CompleteReply reply = Processes::complete(engine, run, kEvidence);
    CHECK(reply.reply.kind == Reply::Kind::verifying);
    CHECK(reply.view.run.current_phase == "1");
  }
}

TEST_CASE("checks survive the end of the process that ran them, and count once (ARCHITECTURE §3)") {
  Processes machine(checked());
  auto one = machine.process(1);
  auto two = machine.process(2);
  const std::string run = Processes::start(*one.engine);

  SUBCASE("ended between submission and claim") {
    Engine::Ports ports{machine.workflows, one.store->runs(), machine.clock, machine.ids};
    Engine submits_only(ports, {});
    (void)Processes::complete(submits_only, run, kEvidence);
    const auto done = two.engine->work({});
    REQUIRE(done.ok());
    REQUIRE(done->has_value());
    CHECK((*done)->reply.kind == Reply::Kind::accepted);
    CHECK(machine.world.asked == 1);
  }
  SUBCASE("ended while a check ran: taken over once its owner is gone, or its lease has expired") {
    for (const bool expires : {false, true}) {
      CAPTURE(expires);
      Processes other(checked());
      auto first = other.process(1);
      auto second = other.process(2);
      const std::string id = Processes::start(*first.engine);
      // The first one is ended from outside while its check runs: it never comes back.
      struct Killed {};
      other.world.meanwhile = [] { throw Killed{}; };
      CHECK_THROWS_AS((void)Processes::complete(*first.engine, id, kEvidence), Killed);
      other.world.meanwhile = nullptr;
      auto nothing = second.engine->work({});
      REQUIRE(nothing.ok());
      CHECK_FALSE(nothing->has_value());
      CHECK(second.engine->view(id)->effect->owner.has_value());
      if (expires) {
        other.clock.advance_ms(60'000);
      } else {
        other.gone.insert(1);
      }
      CHECK_FALSE(second.engine->view(id)->effect->owner.has_value());
      const auto done = second.engine->work({});
      REQUIRE(done.ok());
      REQUIRE(done->has_value());
      CHECK((*done)->deliveries == 2);
      CHECK((*done)->reply.kind == Reply::Kind::accepted);
      const auto view = second.engine->view(id);
      CHECK(view->run.accepted.size() == 1);
    }
  }
  SUBCASE("a process that was thought gone and comes back with a result is not heard") {
    machine.world.meanwhile = [&] {
      machine.world.meanwhile = nullptr;
      machine.gone.insert(1);
      const auto done = two.engine->work({});
      REQUIRE(done.ok());
      REQUIRE(done->has_value());
      CHECK((*done)->reply.kind == Reply::Kind::accepted);
    };
    const CompleteReply reply = Processes::complete(*one.engine, run, kEvidence);
    CHECK(reply.reply.kind == Reply::Kind::accepted);
    CHECK(reply.view.run.accepted.size() == 1);
    const auto journal = two.engine->journal(run, 0, 100);
    int completed = 0;
    for (const JournalRow& row : *journal) completed += row.entry.kind == "phase_completed" ? 1 : 0;
    CHECK(completed == 1);
  }
  SUBCASE("asked to stop: given back at once for whoever comes next") {
    Engine::Ports ports{machine.workflows, one.store->runs(), machine.clock, machine.ids};
    Engine submits_only(ports, {});
    (void)Processes::complete(submits_only, run, kEvidence);
    WorkWish wish;
    wish.go_on = [] { return false; };
    const auto stopped = one.engine->work(wish);
    REQUIRE(stopped.ok());
    REQUIRE(stopped->has_value());
    CHECK((*stopped)->given_back);
    const auto done = two.engine->work({});
    REQUIRE(done->has_value());
    CHECK((*done)->reply.kind == Reply::Kind::accepted);
  }
  SUBCASE("cancelled while a check ran: the result changes nothing and its effect is gone") {
    machine.world.meanwhile = [&] {
      machine.world.meanwhile = nullptr;
      CancelRequest request;
      request.run_id = run;
      request.actor = "ada";
      REQUIRE(two.engine->cancel(request).ok());
    };
    const CompleteReply reply = Processes::complete(*one.engine, run, kEvidence);
    REQUIRE(reply.reply.refusal);
    CHECK(reply.reply.refusal->kind == RefusalKind::run_ended);
    CHECK(reply.view.run.accepted.empty());
    CHECK_FALSE(one.store->outbox().find(run, kRunChecks).has_value());
  }
}

TEST_CASE("checks whose effect somebody has removed are offered again, once (ARCHITECTURE §3)") {
  Processes machine(checked());
  auto one = machine.process(1);
  const std::string run = Processes::start(*one.engine);
  machine.world.meanwhile = [&] {
    machine.world.meanwhile = {};
    state::Db db(machine.folder.path() / "state" / "state.db", {});
    db.execute("DELETE FROM outbox");
  };
  // The result of checks that nobody asked for any more does not count.
  const CompleteReply lost = Processes::complete(*one.engine, run, kEvidence);
  CHECK(lost.reply.kind == Reply::Kind::verifying);
  CHECK_FALSE(one.store->outbox().find(run, kRunChecks).has_value());
  const CompleteReply again = Processes::complete(*one.engine, run, kEvidence);
  CHECK(again.reply.kind == Reply::Kind::accepted);
  CHECK(machine.world.asked == 2);
  const auto rows = one.store->runs().journal(run, 0, 100);
  CHECK(std::count_if(rows.begin(), rows.end(), [](const JournalRow& row) {
          return row.entry.kind == "checks_offered_again";
        }) == 1);
}

TEST_CASE("files that evidence names are digested, and evidence about changed ones is stale") {
  phases::Requirement plan = test::text("plan");
  plan.format = std::string(phases::kProjectPath);
  phases::Phase second = test::phase("2", {test::boolean("done")});
  second.gate.checks = {check_of(phases::CheckKind::expr, "fresh", R"({"that":"!steps.1.stale"})")};
  Processes machine(test::workflow("checked", {test::phase("1", {plan}), second}));
  auto one = machine.process(1);
  machine.world.files["plan.md"] = "v1";
  const std::string run = Processes::start(*one.engine);
  const CompleteReply first = Processes::complete(*one.engine, run, {{"plan", "plan.md"}});
  REQUIRE(first.reply.kind == Reply::Kind::accepted);
  CHECK(first.view.run.accepted[0].files == std::vector<FileDigest>{{"plan.md", "v1"}});

  SUBCASE("one that changes while it is checked is not let through") {
    Processes other(test::workflow("checked", {test::phase("1", {plan}), second}));
    auto again = other.process(1);
    other.world.files["plan.md"] = "v1";
    const std::string id = Processes::start(*again.engine);
    other.world.meanwhile = [&] { other.world.files["plan.md"] = "v2"; };
    const CompleteReply reply = Processes::complete(*again.engine, id, {{"plan", "plan.md"}});
    REQUIRE(reply.reply.refusal);
    CHECK(reply.reply.refusal->kind == RefusalKind::checks_failed);
  }
}

TEST_CASE("a result is used again while what it depends on is the same (cache: inputs)") {
  phases::LoadedWorkflow loaded = checked();
  auto& checks = loaded.workflow.phases[0].gate.checks;
  checks[0].cache_inputs = true;
  checks.push_back(check_of(phases::CheckKind::file, "other", R"({"path":"a"})"));
  Processes machine(std::move(loaded));
  auto one = machine.process(1);
  const std::string run = Processes::start(*one.engine);
  // The first passes, the second fails: at the next attempt the first need not be run again.
  int call = 0;
  machine.world.meanwhile = [&] {
    machine.world.outcome = ++call == 2 ? CheckOutcome::failed : CheckOutcome::passed;
  };
  CHECK(Processes::complete(*one.engine, run, kEvidence).reply.refusal.has_value());
  REQUIRE(machine.world.asked == 2);

  SUBCASE("the same") {
    const CompleteReply reply = Processes::complete(*one.engine, run, kEvidence);
    CHECK(reply.reply.kind == Reply::Kind::accepted);
    CHECK(machine.world.asked == 3);
    CHECK(reply.reply.checks[0].reused);
  }
  SUBCASE("changed") {
    machine.world.inputs = "other";
    CHECK(Processes::complete(*one.engine, run, kEvidence).reply.kind == Reply::Kind::accepted);
    CHECK(machine.world.asked == 4);
  }
}

}  // namespace
}  // namespace phasegate::gating::engine
