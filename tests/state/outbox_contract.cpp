#include <limits>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include "tests/state/run_store_contract.h"

namespace phasegate::test::contract {
using gating::RunState;
using gating::Transition;
using gating::engine::Owner;

namespace {

const Owner kFirst{"boot", 10, 100};
const Owner kSecond{"boot", 10, 101};
constexpr base::TimePoint kNow{1'000'000};

/// A run with one effect of each of these kinds.
void begin(gating::engine::RunStore& runs, int number, std::initializer_list<const char*> kinds) {
  Transition first = first_of(run_id(number));
  for (const char* kind : kinds) first.effects.push_back({kind, "1", 1, R"({"ü":1})"});
  runs.create_run(a_definition(), first, false);
}

Transition never(const RunState& run) {
  FAIL("nobody may be asked");
  return step_of(run, "{}");
}

Transition stepped(const RunState& run) {
  return step_of(run, "{}");
}

}  // namespace

void an_effect_and_its_result_go_together(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  auto& outbox = store->outbox();
  begin(runs, 1, {"check"});
  begin(runs, 2, {});
  const auto claimed = outbox.claim(kFirst, kNow, 500);
  REQUIRE(claimed.has_value());

  // Whoever does not hold it changes nothing: another process, another effect.
  for (const Owner& other : {kSecond, Owner{"other", 10, 100}, Owner{"boot", 11, 100}, Owner{}}) {
    CHECK_FALSE(runs.transact_effect(run_id(1), claimed->id, other, never).has_value());
  }
  CHECK_FALSE(runs.transact_effect(run_id(1), claimed->id + 1, kFirst, never).has_value());
  CHECK_FALSE(runs.transact_effect(run_id(1), -1, kFirst, never).has_value());
  CHECK(outbox.heartbeat(claimed->id, kFirst, kNow, 500));

  // A run that there is not takes nothing away, and neither does what is thrown.
  CHECK_FALSE(runs.transact_effect(run_id(9), claimed->id, kFirst, never).has_value());
  CHECK_THROWS_AS(
      runs.transact_effect(run_id(1), claimed->id, kFirst,
                           [](const RunState&) -> Transition { throw std::out_of_range("mine"); }),
      std::out_of_range);
  CHECK(outbox.heartbeat(claimed->id, kFirst, kNow, 500));
  CHECK(runs.load(run_id(1))->version == 1);

  // Taken over meanwhile: the late result does not count, that of the new owner does.
  const auto taken = outbox.claim(kSecond, {kNow.ms + 500}, 500);
  REQUIRE(taken.has_value());
  CHECK_FALSE(runs.transact_effect(run_id(1), claimed->id, kFirst, never).has_value());
  const auto done = runs.transact_effect(run_id(1), taken->id, kSecond, [](const RunState& run) {
    Transition step = step_of(run, R"({"n":1})");
    step.effects = {{"check", "1", 2, "{}"}};
    return step;
  });
  REQUIRE(done.has_value());
  CHECK(make()->runs().load(run_id(1)) == done->next);
  const auto next = make()->outbox().find(run_id(1), "check");
  REQUIRE(next.has_value());
  CHECK(next->id > taken->id);
  CHECK_FALSE(runs.transact_effect(run_id(1), taken->id, kSecond, never).has_value());

  // Removed also where nothing changes.
  REQUIRE(outbox.claim(kFirst, {kNow.ms + 2'000}, 500).has_value());
  const auto nothing = runs.transact_effect(run_id(1), next->id, kFirst, [](const RunState& run) {
    Transition step = step_of(run, "{}");
    step.next.reset();
    return step;
  });
  REQUIRE(nothing.has_value());
  CHECK_FALSE(outbox.find(run_id(1), "check").has_value());
  CHECK(runs.load(run_id(1)) == done->next);
}

void effects_are_found_by_run_and_kind(const StoreMaker& make) {
  const auto store = make();
  auto& outbox = store->outbox();
  begin(store->runs(), 1, {"notify", "check", "check"});
  begin(store->runs(), 2, {"check"});
  const auto found = outbox.find(run_id(1), "check");
  REQUIRE(found.has_value());
  CHECK(found->run_id == run_id(1));
  CHECK_FALSE(found->owner.has_value());
  CHECK(found->deliveries == 0);
  CHECK(found->progress.empty());
  CHECK(found->effect.payload == R"({"ü":1})");
  CHECK_FALSE(outbox.find(run_id(1), "other").has_value());
  CHECK_FALSE(outbox.find(run_id(3), "check").has_value());
  CHECK_FALSE(outbox.find(run_id(1), "").has_value());

  // Whoever holds it, it is the same, and says how far it is.
  const auto claimed = outbox.claim(kFirst, kNow, 500, {run_id(1), "check", {}});
  REQUIRE(claimed.has_value());
  CHECK(claimed->id == found->id);
  CHECK(outbox.heartbeat(claimed->id, kFirst, {kNow.ms + 1}, 700, "test 3 of 9 – ü"));
  const auto held = make()->outbox().find(run_id(1), "check");
  REQUIRE(held.has_value());
  CHECK(held->id == found->id);
  CHECK(held->owner == kFirst);
  CHECK(held->progress == "test 3 of 9 – ü");
  CHECK(held->lease_until.ms == kNow.ms + 701);
  CHECK(held->deliveries == 1);
  // What one owner said of it is not said of the next one's work.
  const auto again = outbox.claim(kSecond, {kNow.ms + 701}, 500, {run_id(1), "check", {}});
  REQUIRE(again.has_value());
  CHECK(again->id == found->id);
  CHECK(again->progress.empty());
  CHECK(outbox.find(run_id(1), "check")->progress.empty());

  CHECK(outbox.finish(again->id, kSecond));
  CHECK(outbox.find(run_id(1), "check")->id > found->id);
  CHECK(outbox.find(run_id(2), "check")->run_id == run_id(2));
}

void only_what_is_wished_for_is_claimed(const StoreMaker& make) {
  const auto store = make();
  auto& outbox = store->outbox();
  begin(store->runs(), 1, {"notify", "check"});
  begin(store->runs(), 2, {"check"});
  CHECK_FALSE(outbox.claim(kFirst, kNow, 500, {run_id(3), "", {}}).has_value());
  CHECK_FALSE(outbox.claim(kFirst, kNow, 500, {run_id(2), "notify", {}}).has_value());
  const auto second = outbox.claim(kFirst, kNow, 500, {run_id(2), "", {}});
  REQUIRE(second.has_value());
  CHECK(second->run_id == run_id(2));
  CHECK_FALSE(outbox.claim(kSecond, kNow, 500, {run_id(2), "", {}}).has_value());
  const auto check = outbox.claim(kFirst, kNow, 500, {"", "check", {}});
  REQUIRE(check.has_value());
  CHECK(check->run_id == run_id(1));

  // The lease of a process that is gone need not be awaited; that of one that lives must be.
  const gating::engine::ClaimWish orphans{run_id(2), "",
                                          [](const Owner& owner) { return owner == kFirst; }};
  const gating::engine::ClaimWish others{run_id(2), "",
                                         [](const Owner& owner) { return owner == kSecond; }};
  CHECK_FALSE(outbox.claim(kSecond, kNow, 500, others).has_value());
  const auto taken = outbox.claim(kSecond, kNow, 500, orphans);
  REQUIRE(taken.has_value());
  CHECK(taken->id == second->id);
  CHECK(taken->deliveries == 2);
  CHECK_FALSE(outbox.heartbeat(second->id, kFirst, kNow, 500));
}

void effects_are_due_when_their_leases_end(const StoreMaker& make) {
  const auto store = make();
  auto& outbox = store->outbox();
  CHECK_FALSE(outbox.next_due("check").has_value());
  begin(store->runs(), 1, {"check", "check"});
  CHECK(outbox.next_due("check") == base::TimePoint{0});
  const auto first = outbox.claim(kFirst, kNow, 500);
  const auto second = outbox.claim(kSecond, kNow, 900);
  REQUIRE(first.has_value());
  REQUIRE(second.has_value());
  CHECK(outbox.next_due("check") == base::TimePoint{kNow.ms + 500});
  CHECK(outbox.heartbeat(first->id, kFirst, kNow, 2'000));
  CHECK(make()->outbox().next_due("check") == base::TimePoint{kNow.ms + 900});
  CHECK(outbox.finish(second->id, kSecond));
  CHECK(outbox.next_due("check") == base::TimePoint{kNow.ms + 2'000});
  // Given back at once, and a lease longer than the clock never ends.
  CHECK(outbox.heartbeat(first->id, kFirst, kNow, 0));
  CHECK(outbox.next_due("check") == kNow);
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  CHECK(outbox.heartbeat(first->id, kFirst, kNow, kLast));
  CHECK_FALSE(outbox.claim(kSecond, {kLast - 1}, 500).has_value());
  outbox.release_all(kFirst);
  CHECK(outbox.next_due("check") == base::TimePoint{0});
  CHECK(outbox.claim(kSecond, {0}, 500)->id == first->id);
}

void strangers_change_no_effect(const StoreMaker& make) {
  const auto store = make();
  auto& outbox = store->outbox();
  begin(store->runs(), 1, {"check", "check"});
  const auto mine = outbox.claim(kFirst, kNow, 500);
  REQUIRE(mine.has_value());
  const std::int64_t nobodys = mine->id + 1;
  for (const std::int64_t id : {mine->id, nobodys, std::int64_t{0}, std::int64_t{-7},
                                std::numeric_limits<std::int64_t>::max()}) {
    CAPTURE(id);
    for (const Owner& stranger : {kSecond, Owner{}}) {
      CHECK_FALSE(outbox.heartbeat(id, stranger, {kNow.ms + 1}, 9'000, "mine"));
      CHECK_FALSE(outbox.defer(id, stranger, {kNow.ms + 9'000}));
      CHECK_FALSE(outbox.finish(id, stranger));
    }
  }
  outbox.release_all(kSecond);
  outbox.release_all({});
  const auto still = outbox.find(run_id(1), "check");
  CHECK(still->owner == kFirst);
  CHECK(still->lease_until.ms == kNow.ms + 500);
  CHECK(still->progress.empty());
  // An effect outlives what becomes of its run, until somebody finishes it.
  store->runs().transact(run_id(1), [](const RunState& run) {
    Transition step = stepped(run);
    step.next->status = gating::RunStatus::cancelled;
    return step;
  });
  CHECK(outbox.finish(mine->id, kFirst));
  CHECK(outbox.find(run_id(1), "check")->id == nobodys);
}

}  // namespace phasegate::test::contract
