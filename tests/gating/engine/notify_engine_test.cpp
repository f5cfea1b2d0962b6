#include <set>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/limits.h"
#include "gating/engine/engine.h"
#include "state/db.h"
#include "state/state.h"
#include "tests/support/files.h"
#include "tests/support/workflows.h"

namespace phasegate::gating::engine {
namespace {

using base::Json;
using base::TimePoint;

/// Tells nobody, and remembers what it was to tell.
class TestNotifier final : public Notifier {
 public:
  std::vector<std::string> names{"desk"};
  Delivery answer{Delivery::End::delivered, ""};
  std::vector<Notification> tried;

  std::string mine = "a";

  std::string channel() override { return mine; }
  std::vector<std::string> targets(std::string_view) override { return names; }
  Delivery deliver(const Notification& notification, const std::function<bool()>& go_on) override {
    tried.push_back(notification);
    if (go_on && !go_on()) return {Delivery::End::stopped, ""};
    return answer;
  }
};

struct House {
  test::TempFolder folder;
  test::MemoryWorkflows workflows;
  base::ManualClock clock;
  base::SeededIdSource ids{11};
  TestNotifier notifier;

  struct Process {
    std::unique_ptr<state::Store> store;
    std::unique_ptr<Engine> engine;
  };

  House() { workflows.put(test::workflow("short", {test::phase("1", {test::boolean("done")})})); }

  Process process(std::int64_t pid, bool telling = true) {
    Process made;
    made.store = state::open_store(folder.path() / "state");
    Engine::Ports ports{workflows, made.store->runs(), clock, ids};
    ports.outbox = &made.store->outbox();
    ports.owner = {"boot", pid, 1};
    if (telling) ports.notifier = &notifier;
    made.engine = std::make_unique<Engine>(ports, EngineOptions{});
    return made;
  }

  static std::string start(Engine& engine) {
    StartRequest request;
    request.workflow = "short";
    request.principal = "ada";
    auto started = engine.start(request);
    REQUIRE(started.ok());
    return started->phase.view.run.id;
  }

  /// A run that is completed: one thing to be told.
  static std::string completed(Engine& engine) {
    const std::string run = start(engine);
    const Json evidence{{"done", true}};
    CompleteRequest request;
    request.run_id = run;
    request.phase = "1";
    request.evidence = &evidence;
    REQUIRE(engine.complete_phase(request)->reply.kind == Reply::Kind::accepted);
    return run;
  }
};

TEST_CASE("notify: each who wants to know is told once, with an id that stays the same") {
  House house;
  house.notifier.names = {"desk", "chat"};
  const auto one = house.process(1);
  const auto two = house.process(2);
  const std::string run = House::completed(*one.engine);
  CHECK(one.engine->next_due() == TimePoint{0});
  const auto first = one.engine->tell({});
  const auto second = two.engine->tell({});
  REQUIRE((first && second));
  CHECK_FALSE(one.engine->tell({}));
  CHECK(first->target == "desk");
  CHECK(second->target == "chat");
  CHECK(first->event == "run_completed");
  CHECK(first->run_id == run);
  CHECK_FALSE(first->again);
  REQUIRE(house.notifier.tried.size() == 2);
  const Json payload = Json::parse(house.notifier.tried[0].payload);
  CHECK(payload["outcome"] == "ok");
  CHECK(payload["workflow"] == "short");
  CHECK_FALSE(payload.contains("evidence"));
  CHECK(house.notifier.tried[0].id != house.notifier.tried[1].id);
}

TEST_CASE("notify: where nobody is to be told, nothing is left in the outbox") {
  House house;
  SUBCASE("no notifier") {
    const auto one = house.process(1, false);
    House::completed(*one.engine);
    CHECK_FALSE(one.engine->tell({}));
    CHECK_FALSE(one.store->outbox().next_due("notify:a"));
  }
  SUBCASE("no target") {
    house.notifier.names.clear();
    const auto one = house.process(1);
    House::completed(*one.engine);
    CHECK_FALSE(one.engine->tell({}));
    CHECK_FALSE(one.store->outbox().next_due("notify:a"));
  }
}

TEST_CASE("notify: what fails is tried again later and later, then journalled as lost") {
  House house;
  house.notifier.answer = {Delivery::End::failed, "nobody answers there"};
  const auto one = house.process(1);
  const std::string run = House::completed(*one.engine);
  std::int64_t waited = 0;
  int tries = 0;
  while (const auto told = one.engine->tell({})) {
    CHECK(told->tries == ++tries);
    if (!told->again) break;
    CHECK_FALSE(one.engine->tell({}));
    const std::int64_t wait = told->again->ms - house.clock.now().ms;
    CHECK(wait == *retry_after_ms(tries));
    CHECK(one.engine->next_due() == *told->again);
    waited += wait;
    house.clock.advance_ms(wait);
  }
  CHECK(tries == 8);
  CHECK(waited > 8 * 3'600'000);
  CHECK_FALSE(one.engine->tell({}));
  const auto journal = one.store->runs().journal(run, 0, 100);
  CHECK(journal.back().entry.kind == "notification_lost");
  const std::set<std::string> ids{house.notifier.tried[0].id, house.notifier.tried[7].id};
  CHECK(ids.size() == 1);
}

TEST_CASE("notify: a target that is gone is given up at once, one that works again is told") {
  House house;
  const auto one = house.process(1);
  const std::string run = House::completed(*one.engine);
  SUBCASE("gone") {
    house.notifier.answer = {Delivery::End::refused, "it is not configured any more"};
    CHECK_FALSE(one.engine->tell({})->again);
    CHECK_FALSE(one.engine->tell({}));
    CHECK(one.store->runs().journal(run, 0, 100).back().entry.kind == "notification_lost");
  }
  SUBCASE("works again") {
    house.notifier.answer = {Delivery::End::failed, "busy"};
    house.clock.advance_ms(one.engine->tell({})->again->ms - house.clock.now().ms);
    house.notifier.answer = {Delivery::End::delivered, ""};
    const auto told = one.engine->tell({});
    REQUIRE(told);
    CHECK(told->tries == 2);
    CHECK_FALSE(told->again);
    CHECK_FALSE(one.engine->tell({}));
  }
}

TEST_CASE("notify: who stops or dies in the middle leaves it to the next") {
  House house;
  const auto one = house.process(1);
  const auto two = house.process(2);
  House::completed(*one.engine);
  SUBCASE("stops") {
    const auto told = one.engine->tell({"", [] { return false; }});
    CHECK(told->delivery.end == Delivery::End::stopped);
    CHECK(two.engine->tell({})->delivery.end == Delivery::End::delivered);
  }
  SUBCASE("dies") {
    REQUIRE(one.store->outbox().claim({"boot", 1, 1}, house.clock.now(),
                                      base::limits::kNotifyLeaseMs, {"", "notify:a", {}}));
    CHECK_FALSE(two.engine->tell({}));
    house.clock.advance_ms(base::limits::kNotifyLeaseMs);
    CHECK(two.engine->tell({})->delivery.end == Delivery::End::delivered);
  }
}

TEST_CASE("notify: whoever has another configuration leaves it to those that have this one") {
  House house;
  const auto one = house.process(1);
  House::completed(*one.engine);
  house.notifier.mine = "b";
  CHECK_FALSE(one.engine->tell({}));
  CHECK_FALSE(one.engine->next_to_tell());
  house.notifier.mine = "a";
  CHECK(one.engine->next_to_tell());
  CHECK(one.engine->tell({})->delivery.end == Delivery::End::delivered);
}

TEST_CASE("notify: a damaged session keeps no other from being looked at") {
  House house;
  const auto one = house.process(1);
  const std::string damaged = House::start(*one.engine);
  house.clock.advance_ms(1);
  const std::string sound = House::start(*one.engine);
  {
    state::Db db(house.folder.path() / "state" / "state.db", {});
    db.prepare("UPDATE run SET state = '{' WHERE id = ?").bind_all(damaged).run();
  }
  house.clock.advance_ms(base::limits::kStalledAfterMs);
  CHECK(one.engine->pass_time() == 1);
  CHECK(one.engine->pass_time() == 0);
  CHECK(one.engine->tell({})->run_id == sound);
}

TEST_CASE("notify: time passes for the runs that are due, whoever looks, and once for all") {
  House house;
  const auto one = house.process(1);
  const auto two = house.process(2);
  const std::string idle = House::start(*one.engine);
  CHECK(one.engine->next_due() == TimePoint{house.clock.now().ms + base::limits::kStalledAfterMs});
  CHECK(one.engine->pass_time() == 0);
  house.clock.advance_ms(base::limits::kStalledAfterMs);
  CHECK(two.engine->pass_time() == 1);
  CHECK(one.engine->pass_time() == 0);
  CHECK(one.engine->tell({})->event == "run_stalled");
  CHECK_FALSE(two.engine->tell({}));
  CHECK_FALSE(one.engine->next_due());
  CHECK(one.store->runs().journal(idle, 0, 100).back().entry.kind == "run_stalled");
}

}  // namespace
}  // namespace phasegate::gating::engine
