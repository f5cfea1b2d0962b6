#include <csignal>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "tests/state/run_store_contract.h"

namespace phasegate::test::contract {
using gating::RunState;
using gating::Transition;
using gating::engine::Owner;

void processes_lose_nothing(const StoreMaker& make) {
  constexpr int kProcesses = 6;
  constexpr int kTransitions = 25;
  constexpr int kRuns = 2;
  for (int i = 1; i <= kRuns; ++i) {
    make()->runs().create_run(a_definition(), first_of(run_id(i)), false);
  }
  std::vector<int> children;
  children.reserve(16);
  for (int process = 0; process < kProcesses; ++process) {
    children.push_back(start_child([&make, process] {
      const auto store = make();
      for (int i = 0; i < kTransitions; ++i) {
        const std::string mark = std::to_string(process) + ":" + std::to_string(i);
        const auto done = store->runs().transact(
            run_id(1 + (process + i) % kRuns),
            [&](const RunState& run) { return step_of(run, '"' + mark + '"'); });
        if (!done || !done->next) return false;
      }
      return true;
    }));
  }
  for (const int child : children) CHECK(wait_for_child(child) == 0);

  const auto store = make();
  std::set<std::string> marks;
  std::int64_t entries = 0;
  for (int i = 1; i <= kRuns; ++i) {
    const auto run = store->runs().load(run_id(i));
    REQUIRE(run.has_value());
    const auto journal = store->runs().journal(run_id(i), 0, 100'000);
    // One entry per transition, the first one included: a lost update would show as a difference.
    CHECK(run->version == static_cast<std::int64_t>(journal.size()));
    CHECK(run->attempts == run->version - 1);
    std::map<std::string, int> last_of_process;
    for (std::size_t at = 0; at < journal.size(); ++at) {
      CHECK(journal[at].seq == static_cast<std::int64_t>(at) + 1);
      if (at == 0) continue;
      const std::string& mark = journal[at].entry.data;
      CHECK(marks.insert(mark).second);
      const auto colon = mark.find(':');
      const int number = std::stoi(mark.substr(colon + 1));
      auto [last, fresh] = last_of_process.try_emplace(mark.substr(0, colon), -1);
      CHECK(number > last->second);
      last->second = number;
    }
    entries += run->version - 1;
  }
  CHECK(entries == kProcesses * kTransitions);
}

void processes_start_one_run_per_key(const StoreMaker& make) {
  constexpr int kProcesses = 8;
  // Without a store yet, so that making it is part of the race.
  std::vector<int> children;
  children.reserve(16);
  for (int process = 1; process <= kProcesses; ++process) {
    children.push_back(start_child([&make, process] {
      const auto store = make();
      const auto outcome =
          store->runs().create_run(a_definition(), first_of(run_id(process), "key"), true);
      return store->runs().load(outcome.run_id).has_value() &&
             outcome.resumed == (outcome.run_id != run_id(process));
    }));
  }
  for (const int child : children) CHECK(wait_for_child(child) == 0);
  const auto page = make()->runs().list({});
  REQUIRE(page.ok());
  CHECK(page->runs.size() == 1);
}

namespace {

/// What a child says it has committed: one byte per acknowledged transition.
class Acknowledgements {
 public:
  Acknowledgements() { REQUIRE(::pipe(ends_) == 0); }
  ~Acknowledgements() {
    ::close(ends_[0]);
    close_writer();
  }
  Acknowledgements(const Acknowledgements&) = delete;
  Acknowledgements& operator=(const Acknowledgements&) = delete;

  void say() const { static_cast<void>(::write(ends_[1], "x", 1) == 1); }
  /// Waits for `count` more; false if the child is gone before.
  [[nodiscard]] bool await(int count) {
    for (char byte = 0; count > 0; --count) {
      if (::read(ends_[0], &byte, 1) != 1) return false;
      ++heard_;
    }
    return true;
  }
  /// Everything that was said, once the child has ended.
  [[nodiscard]] int total() {
    while (await(1)) {
    }
    return heard_;
  }
  void close_writer() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
  int heard_ = 0;
};

}  // namespace

void killed_writers_leave_nothing_half(const StoreMaker& make) {
  constexpr int kKills = 25;
  std::mt19937 random(20'26);
  for (int kill_number = 1; kill_number <= kKills; ++kill_number) {
    CAPTURE(kill_number);
    const std::string id = run_id(kill_number);
    Acknowledgements said;
    const int child = start_child([&]() -> bool {
      const auto store = make();
      store->runs().create_run(a_definition(), first_of(id), false);
      said.say();
      while (true) {
        store->runs().transact(id, [](const RunState& run) {
          Transition step = step_of(run, '"' + std::string(3000, 'e') + '"');
          step.effects = {{"notify", "1", run.attempts, "{}"}};
          step.next->accepted.push_back({std::to_string(run.version), 1, 1, "d",
                                         step.next->updated_at, 0, 0, 0, false, false});
          step.artifact = {std::to_string(run.version), 1, "{}", "d"};
          return step;
        });
        said.say();
      }
    });
    said.close_writer();
    // The moment is set by what the child has done and by a spin of random length, not by a clock.
    const bool alive = said.await(1 + static_cast<int>(random() % 6));
    test::spin(random() % 400'000);
    ::kill(child, SIGKILL);
    CHECK(wait_for_child(child) == 128 + SIGKILL);
    REQUIRE(alive);

    const auto store = make();
    const auto run = store->runs().load(id);
    REQUIRE(run.has_value());
    const int acknowledged = said.total();
    CHECK(run->version >= acknowledged);
    CHECK(run->version <= acknowledged + 1);
    const auto journal = store->runs().journal(id, 0, 100'000);
    CHECK(static_cast<std::int64_t>(journal.size()) == run->version);
    CHECK(journal.back().seq == run->version);
    CHECK(store->runs().artifacts(id).size() == run->accepted.size());
    CHECK(static_cast<std::int64_t>(run->accepted.size()) == run->version - 1);
    // The next process writes on at once.
    const auto next =
        store->runs().transact(id, [](const RunState& state) { return step_of(state, "{}"); });
    REQUIRE(next.has_value());
    CHECK(next->next->version == run->version + 1);
  }
}

// ── Outbox ───────────────────────────────────────────────────────────────────────────────────────

namespace {

const Owner kFirst{"boot", 10, 100};
const Owner kSecond{"boot", 10, 101};  // the same pid, a later process
constexpr base::TimePoint kNow{1'000'000};

void add_effects(gating::engine::RunStore& runs, int count) {
  Transition first = first_of(run_id(1));
  for (int i = 1; i <= count; ++i) {
    first.effects.push_back({"check", "1", i, R"({"n":)" + std::to_string(i) + "}"});
  }
  runs.create_run(a_definition(), first, false);
}

}  // namespace

void an_effect_has_one_owner(const StoreMaker& make) {
  const auto store = make();
  add_effects(store->runs(), 1);
  auto& outbox = store->outbox();
  const auto claimed = outbox.claim(kFirst, kNow, 500);
  REQUIRE(claimed.has_value());
  CHECK(claimed->effect == gating::Effect{"check", "1", 1, R"({"n":1})"});
  CHECK(claimed->run_id == run_id(1));
  CHECK(claimed->owner == kFirst);
  CHECK(claimed->lease_until.ms == kNow.ms + 500);
  CHECK(claimed->deliveries == 1);

  const auto other = make();
  CHECK_FALSE(other->outbox().claim(kSecond, kNow, 500).has_value());
  CHECK_FALSE(other->outbox().claim(kSecond, {kNow.ms + 499}, 500).has_value());
  CHECK_FALSE(other->outbox().finish(claimed->id, kSecond));
  CHECK_FALSE(other->outbox().heartbeat(claimed->id, kSecond, kNow, 500));
  other->outbox().release_all(kSecond);
  CHECK(outbox.finish(claimed->id, kFirst));
  CHECK_FALSE(outbox.finish(claimed->id, kFirst));
  CHECK_FALSE(outbox.claim(kFirst, {kNow.ms + 10'000}, 500).has_value());
}

void an_expired_lease_is_taken_over(const StoreMaker& make) {
  const auto store = make();
  add_effects(store->runs(), 1);
  auto& outbox = store->outbox();
  const auto claimed = outbox.claim(kFirst, kNow, 500);
  REQUIRE(claimed.has_value());
  CHECK(outbox.heartbeat(claimed->id, kFirst, {kNow.ms + 400}, 500));
  CHECK_FALSE(outbox.claim(kSecond, {kNow.ms + 600}, 500).has_value());

  const auto taken = outbox.claim(kSecond, {kNow.ms + 900}, 500);
  REQUIRE(taken.has_value());
  CHECK(taken->id == claimed->id);
  CHECK(taken->deliveries == 2);
  // The first owner is too late with everything.
  CHECK_FALSE(outbox.heartbeat(claimed->id, kFirst, {kNow.ms + 950}, 500));
  CHECK_FALSE(outbox.finish(claimed->id, kFirst));
  CHECK(outbox.finish(taken->id, kSecond));
}

void a_deferred_effect_waits(const StoreMaker& make) {
  const auto store = make();
  gating::Transition first = first_of(run_id(1));
  first.effects = {{"notify", "1", 1, "{}"}, {"check", "1", 1, "{}"}};
  store->runs().create_run(a_definition(), first, false);
  auto& outbox = store->outbox();
  const gating::engine::ClaimWish notify{"", "notify", {}};
  CHECK_FALSE(outbox.claim(kFirst, kNow, 500, {"", "other", {}}));
  CHECK_FALSE(outbox.next_due("other"));
  CHECK(outbox.find(run_id(1), "check")->effect.kind == "check");
  CHECK(outbox.next_due("notify") == base::TimePoint{0});

  const auto claimed = outbox.claim(kFirst, kNow, 500, notify);
  REQUIRE(claimed.has_value());
  CHECK(claimed->effect.kind == "notify");
  CHECK_FALSE(outbox.defer(claimed->id, kSecond, {kNow.ms + 50'000}));
  CHECK(outbox.defer(claimed->id, kFirst, {kNow.ms + 50'000}));
  CHECK_FALSE(outbox.finish(claimed->id, kFirst));
  CHECK(outbox.next_due("notify") == base::TimePoint{kNow.ms + 50'000});
  // Nobody's, and still not to be taken: neither by time nor because its owner is gone.
  const gating::engine::ClaimWish orphans{"", "notify", [](const Owner&) { return true; }};
  CHECK_FALSE(outbox.claim(kSecond, {kNow.ms + 49'999}, 500, orphans));
  const auto again = make()->outbox().claim(kSecond, {kNow.ms + 50'000}, 500, notify);
  REQUIRE(again.has_value());
  CHECK(again->id == claimed->id);
  CHECK(again->deliveries == 2);
  // The other effect was never touched.
  CHECK(outbox.claim(kSecond, kNow, 500, {"", "check", {}}).has_value());
}

void runs_are_due_in_order(const StoreMaker& make) {
  const auto store = make();
  CHECK(store->runs().due({kNow.ms}, 10).empty());
  CHECK_FALSE(store->runs().next_due(kNow));
  const auto begin = [&](int number, std::optional<std::int64_t> due) {
    gating::Transition first = first_of(run_id(number));
    if (due) first.next->due_at = base::TimePoint{*due};
    store->runs().create_run(a_definition(), first, false);
  };
  begin(1, 300);
  begin(2, std::nullopt);
  begin(3, 100);
  begin(4, 200);
  using Ids = std::vector<std::string>;
  CHECK(store->runs().due({99}, 10).empty());
  CHECK(store->runs().due({200}, 10) == Ids{run_id(3), run_id(4)});
  CHECK(make()->runs().due({1'000}, 2) == Ids{run_id(3), run_id(4)});
  CHECK(store->runs().next_due({0}) == base::TimePoint{100});
  CHECK(store->runs().next_due({100}) == base::TimePoint{200});
  CHECK_FALSE(store->runs().next_due({300}));
  const auto later = store->runs().transact(run_id(3), [](const RunState& run) {
    gating::Transition step;
    step.next = run;
    step.next->due_at.reset();  // the state version stays: nobody has seen a change
    return step;
  });
  REQUIRE(later.has_value());
  CHECK(store->runs().due({1'000}, 10) == Ids{run_id(4), run_id(1)});
}

void effects_are_released_and_claimed_in_order(const StoreMaker& make) {
  const auto store = make();
  add_effects(store->runs(), 4);
  auto& outbox = store->outbox();
  std::vector<std::int64_t> ids;
  for (int i = 1; i <= 3; ++i) {
    const auto claimed = outbox.claim(i == 2 ? kSecond : kFirst, kNow, 500);
    REQUIRE(claimed.has_value());
    CHECK(claimed->effect.attempt == i);
    ids.push_back(claimed->id);
  }
  outbox.release_all(kFirst);
  CHECK_FALSE(outbox.finish(ids[0], kFirst));
  CHECK(outbox.finish(ids[1], kSecond));
  for (const int attempt : {1, 3, 4}) {
    const auto claimed = outbox.claim(kSecond, kNow, 500);
    REQUIRE(claimed.has_value());
    CHECK(claimed->effect.attempt == attempt);
    CHECK(claimed->deliveries == (attempt == 4 ? 1 : 2));
    CHECK(outbox.finish(claimed->id, kSecond));
  }
  // A late result must not meet another effect: ids are not used again.
  store->runs().transact(run_id(1), [](const RunState& run) {
    Transition step = step_of(run, "{}");
    step.effects = {{"check", "1", 9, "{}"}};
    return step;
  });
  const auto fresh = outbox.claim(kFirst, kNow, 500);
  REQUIRE(fresh.has_value());
  CHECK(fresh->id > ids[2] + 1);
}

void processes_claim_each_effect_once(const StoreMaker& make) {
  constexpr int kProcesses = 5;
  constexpr int kEffects = 30;
  add_effects(make()->runs(), kEffects);
  std::vector<int> children;
  children.reserve(16);
  for (int process = 1; process <= kProcesses; ++process) {
    children.push_back(start_child([&make, process] {
      const auto store = make();
      const Owner owner{"boot", process, 1};
      while (const auto claimed = store->outbox().claim(owner, kNow, 1000)) {
        const auto done = store->runs().transact(claimed->run_id, [&](const RunState& run) {
          return step_of(run, std::to_string(claimed->effect.attempt));
        });
        if (!done || !store->outbox().finish(claimed->id, owner)) return false;
      }
      return true;
    }));
  }
  for (const int child : children) CHECK(wait_for_child(child) == 0);
  std::set<std::string> done;
  for (const auto& row : make()->runs().journal(run_id(1), 1, 1000)) {
    CHECK(done.insert(row.entry.data).second);
  }
  CHECK(done.size() == kEffects);
}

}  // namespace phasegate::test::contract
