#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/state/run_store_contract.h"

namespace phasegate::test::contract {
using gating::RunState;
using gating::Transition;

namespace {

constexpr base::TimePoint kNow{1'800'000'000'000};
constexpr std::int64_t kLater = kNow.ms + 60'000;

Transition stepped(const RunState& run) {
  return step_of(run, "{}");
}

Transition refused(const RunState& run) {
  Transition transition = step_of(run, "{}");
  transition.next.reset();
  return transition;
}

}  // namespace

void a_token_counts_once(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();

  // There is no run, and not even a store: nothing is used up.
  const auto nobody = runs.transact_once(run_id(1), {"a", kLater}, kNow, stepped);
  CHECK_FALSE(nobody.already_used);
  CHECK_FALSE(nobody.transition.has_value());

  runs.create_run(a_definition(), first_of(run_id(1)), false);
  CHECK_FALSE(runs.transact_once(run_id(2), {"a", kLater}, kNow, stepped).already_used);
  const auto first = runs.transact_once(run_id(1), {"a", kLater}, kNow, stepped);
  CHECK_FALSE(first.already_used);
  REQUIRE(first.transition.has_value());
  CHECK(runs.load(run_id(1)) == first.transition->next);

  // Again, also in another process: nobody is asked and nothing is written.
  const auto other = make();
  const auto again = other->runs().transact_once(run_id(1), {"a", kLater}, kNow,
                                                 [](const RunState& run) -> Transition {
                                                   FAIL("a used token decides nothing");
                                                   return stepped(run);
                                                 });
  CHECK(again.already_used);
  CHECK_FALSE(again.transition.has_value());
  CHECK_FALSE(other->runs().use_once({"a", kLater}, kNow));
  CHECK(runs.load(run_id(1)) == first.transition->next);
  CHECK(runs.journal(run_id(1), 0, 10).size() == 2);

  // A refusal uses it up, although it changes nothing else.
  const auto no = runs.transact_once(run_id(1), {"b", kLater}, kNow, refused);
  CHECK_FALSE(no.already_used);
  REQUIRE(no.transition.has_value());
  CHECK_FALSE(no.transition->next.has_value());
  CHECK(runs.load(run_id(1)) == first.transition->next);
  CHECK(runs.transact_once(run_id(1), {"b", kLater}, kNow, stepped).already_used);

  // What is thrown takes everything back, the token too.
  CHECK_THROWS_AS(
      runs.transact_once(run_id(1), {"c", kLater}, kNow,
                         [](const RunState&) -> Transition { throw std::out_of_range("mine"); }),
      std::out_of_range);
  CHECK_FALSE(runs.transact_once(run_id(1), {"c", kLater}, kNow, stepped).already_used);

  CHECK(runs.use_once({"d", kLater}, kNow));
  CHECK_FALSE(runs.use_once({"d", kLater}, kNow));
  CHECK(runs.transact_once(run_id(1), {"d", kLater}, kNow, stepped).already_used);
  CHECK(runs.load(run_id(1))->version == 3);
}

void used_tokens_are_forgotten_after_their_time(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  runs.create_run(a_definition(), first_of(run_id(1)), false);
  CHECK(runs.use_once({"short", kNow.ms + 10}, kNow));
  // Its last moment, and the one after.
  CHECK(runs.use_once({"other", kNow.ms + 10}, {kNow.ms + 10}));
  CHECK_FALSE(runs.use_once({"late", kNow.ms + 10}, {kNow.ms + 11}));
  CHECK(
      runs.transact_once(run_id(1), {"late", kNow.ms + 10}, {kNow.ms + 11}, stepped).already_used);
  // Forgotten by the next addition; its time alone refuses it then.
  CHECK(runs.use_once({"next", kLater}, {kNow.ms + 11}));
  CHECK_FALSE(runs.use_once({"short", kNow.ms + 10}, {kNow.ms + 11}));
  CHECK_FALSE(runs.use_once({"next", kLater}, {kNow.ms + 11}));
  CHECK(runs.load(run_id(1))->version == 1);
}

void processes_use_a_token_once(const StoreMaker& make) {
  constexpr int kProcesses = 8;
  constexpr int kTokens = 12;
  make()->runs().create_run(a_definition(), first_of(run_id(1)), false);
  std::vector<int> children;
  children.reserve(kProcesses);
  for (int process = 0; process < kProcesses; ++process) {
    children.push_back(start_child([&make, process] {
      const auto store = make();
      for (int i = 0; i < kTokens; ++i) {
        // Half of them try with a transition, half without.
        const gating::engine::Once once{"token" + std::to_string(i), kLater};
        if (process % 2 == 0) {
          const auto done = store->runs().transact_once(run_id(1), once, kNow, stepped);
          if (done.already_used == done.transition.has_value()) return false;
        } else if (store->runs().use_once(once, kNow)) {
          // Won by one that changes nothing: the change is made up for, so that all can be counted.
          if (!store->runs().transact(run_id(1), stepped)) return false;
        }
      }
      return true;
    }));
  }
  for (const int child : children) CHECK(wait_for_child(child) == 0);
  CHECK(make()->runs().load(run_id(1))->version == 1 + kTokens);
}

}  // namespace phasegate::test::contract
