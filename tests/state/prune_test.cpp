#include "state/prune.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "state/seal/audit.h"
#include "state/seal/open_seal.h"
#include "state/seal/upkeep.h"
#include "state/state.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
using base::TimePoint;
using gating::RunState;
using test::run_id;

namespace {

constexpr TimePoint kNow{1'900'000'000'000};
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

/// Starts run `number` and ends it at a time of its own; the higher the number, the later.
void add_ended(state::Store& store, int number, std::string_view workflow = "spec",
               gating::RunStatus status = gating::RunStatus::completed) {
  store.runs().create_run(test::a_definition(workflow),
                          test::first_of(run_id(number), "", workflow), false);
  const auto done = store.runs().transact(run_id(number), [&](const RunState& run) {
    gating::Transition end = test::step_of(run, "{}");
    end.next->status = status;
    end.next->updated_at = {1'800'000'000'000 + number * 1000};
    return end;
  });
  REQUIRE(done.has_value());
}

void add_ended_between(state::Store& store, int first, int last) {
  for (int number = first; number <= last; ++number) add_ended(store, number);
}

state::Pruned prune(const std::filesystem::path& folder, std::size_t keep,
                    std::size_t at_most = kAll, bool dry_run = false) {
  // Others that prune or write at the same time may keep a slow disk busy for long.
  constexpr std::int64_t kPatient = 60'000;
  return state::Pruner(folder, kPatient).prune({keep, at_most, "ann", kNow, dry_run});
}

std::vector<std::string> ids_of(const state::Pruned& done) {
  std::vector<std::string> ids;
  for (const state::Tombstone& one : done.sessions) ids.push_back(one.id);
  return ids;
}

std::int64_t count(const std::filesystem::path& folder, const std::string& sql) {
  state::Db db(folder / "state.db", {});
  return db.query_integer(sql).value_or(-1);
}

/// What verify_tombstones says; empty: nothing.
std::string tombstones_problem(const std::filesystem::path& folder) {
  state::Db db(folder / "state.db", {});
  auto seal = state::open_seal(db, folder);
  REQUIRE(seal.has_value());
  const auto mark = state::read_store_mark(db, *seal);
  REQUIRE(mark.ok());
  const auto verified = state::verify_tombstones(db, *seal, *mark);
  return verified ? "" : verified.error().message;
}

}  // namespace

TEST_CASE("prune: the oldest ends go first, and a tombstone of each stays") {
  const test::TempFolder temp;
  const auto store = state::open_store(temp.path());
  add_ended_between(*store, 1, 6);
  // Ended last although it began first.
  store->runs().transact(run_id(1), [](const RunState& run) {
    gating::Transition later = test::step_of(run, "{}");
    later.next->updated_at = {1'850'000'000'000};
    return later;
  });
  const auto dry = prune(temp.path(), 3, kAll, true);
  CHECK(ids_of(dry) == std::vector<std::string>{run_id(2), run_id(3), run_id(4)});
  CHECK(count(temp.path(), "SELECT count(*) FROM run") == 6);

  const auto done = prune(temp.path(), 3);
  CHECK(ids_of(done) == ids_of(dry));
  CHECK_FALSE(done.more);
  for (const int gone : {2, 3, 4}) CHECK_FALSE(store->runs().load(run_id(gone)).has_value());
  for (const int left : {1, 5, 6}) CHECK(store->runs().load(run_id(left)).has_value());
  for (const char* table : {"journal", "artifact", "decision"}) {
    CAPTURE(table);
    CHECK(count(temp.path(), "SELECT count(*) FROM " + std::string(table) +
                                 " WHERE run NOT IN (SELECT number FROM run)") == 0);
  }
  const auto stone = state::find_pruned(temp.path(), run_id(3));
  REQUIRE(stone.has_value());
  CHECK(stone->place == 2);
  CHECK(stone->number == 3);
  CHECK(stone->workflow == "spec");
  CHECK(stone->status == "completed");
  CHECK(stone->target == "src/α.cpp");
  CHECK(stone->ended_at.ms == 1'800'000'003'000);
  CHECK(stone->journal_head == 2);
  CHECK_FALSE(stone->chain_head.empty());
  CHECK(stone->pruned_at == kNow);
  CHECK(stone->pruned_by == "ann");
  CHECK_FALSE(state::find_pruned(temp.path(), "0000").has_value());
  CHECK_FALSE(state::find_pruned(temp.path(), run_id(1)).has_value());
  CHECK(tombstones_problem(temp.path()).empty());
  CHECK(state::audit(temp.path()).sound());
  CHECK(state::inspect(temp.path(), {.thorough = true}).damaged.empty());
}

TEST_CASE("prune: open sessions and those with effects to be carried out stay") {
  const test::TempFolder temp;
  const auto store = state::open_store(temp.path());
  add_ended_between(*store, 1, 3);
  test::add_run(temp.path(), 4);
  store->runs().transact(run_id(2), [](const RunState& run) {
    gating::Transition told = test::step_of(run, "{}");
    told.next->updated_at = run.updated_at;
    told.effects.push_back({"notify", "1", 1, "{}"});
    return told;
  });
  const auto done = prune(temp.path(), 0);
  CHECK(ids_of(done) == std::vector<std::string>{run_id(1), run_id(3)});
  CHECK(done.waiting == 1);
  CHECK(store->runs().load(run_id(2)).has_value());
  CHECK(store->runs().load(run_id(4)).has_value());
}

TEST_CASE("prune: a session that does not verify stays and is reported, the others go") {
  const test::TempFolder temp;
  const auto store = state::open_store(temp.path());
  add_ended_between(*store, 1, 4);
  state::Db(temp.path() / "state.db", {})
      .execute("UPDATE journal SET actor = 'eve' WHERE run = 2 AND seq = 1");
  state::Pruner pruner(temp.path());
  // Whoever looks first, as often as they like, hears of it again when it is done.
  for (int i = 0; i < 2; ++i) {
    CHECK(pruner.prune({0, kAll, "ann", kNow, true}).damaged.size() == 1);
  }
  const auto done = pruner.prune({0, kAll, "ann", kNow, false});
  CHECK(ids_of(done) == std::vector<std::string>{run_id(1), run_id(3), run_id(4)});
  REQUIRE(done.damaged.size() == 1);
  CHECK(done.damaged.front().run_id == run_id(2));
  CHECK(count(temp.path(), "SELECT count(*) FROM run") == 1);
  // Not looked at again and again.
  CHECK(pruner.prune({0, kAll, "ann", kNow, false}).damaged.empty());
  CHECK(pruner.prune({0, kAll, "ann", kNow, true}).damaged.size() == 1);
}

TEST_CASE("prune: a number is never given again") {
  const test::TempFolder temp;
  const auto store = state::open_store(temp.path());
  add_ended_between(*store, 1, 3);
  CHECK(prune(temp.path(), 0).sessions.size() == 3);
  add_ended_between(*store, 4, 5);
  CHECK(count(temp.path(), "SELECT min(number) FROM run") == 4);
  CHECK(prune(temp.path(), 0).sessions.size() == 2);
  CHECK(count(temp.path(), "SELECT max(place) FROM tombstone") == 5);
  CHECK(tombstones_problem(temp.path()).empty());
}

TEST_CASE("prune: workflows and documents go with the last session that uses them") {
  const test::TempFolder temp;
  const auto store = state::open_store(temp.path());
  add_ended(*store, 1, "first");
  add_ended(*store, 2, "second");
  add_ended(*store, 3, "second");
  const auto observe = [&](int number, const std::string& bytes) {
    store->runs().transact(run_id(number), [&](const RunState& run) {
      gating::Transition seen = test::step_of(run, "{}");
      seen.next->updated_at = run.updated_at;
      seen.next->entered = base::sha256_hex(bytes);
      seen.blobs.emplace(base::sha256_hex(bytes), bytes);
      return seen;
    });
  };
  observe(1, "seen by one");
  observe(2, "seen by two");
  observe(3, "seen by two");
  const auto blob = [&](const std::string& bytes) {
    return count(temp.path(),
                 "SELECT count(*) FROM blob WHERE hash = '" + base::sha256_hex(bytes) + "'") == 1;
  };
  const auto done = prune(temp.path(), 1);
  CHECK(ids_of(done) == std::vector<std::string>{run_id(1), run_id(2)});
  CHECK(done.definitions == 1);
  CHECK(done.documents == 1);
  CHECK_FALSE(blob("seen by one"));
  CHECK(blob("seen by two"));
  CHECK(store->runs().definition(test::a_definition("second").hash).has_value());
  CHECK(store->runs().blob(base::sha256_hex("# Phase 1\n")) == "# Phase 1\n");
  CHECK_FALSE(store->runs().definition(test::a_definition("first").hash).has_value());

  const auto rest = prune(temp.path(), 0);
  CHECK(rest.definitions == 1);
  CHECK(count(temp.path(), "SELECT count(*) FROM blob") == 0);
  CHECK(count(temp.path(), "SELECT count(*) FROM definition_blob") == 0);
  // What was removed can be kept again.
  add_ended(*store, 9, "first");
  CHECK(store->runs().definition(test::a_definition("first").hash).has_value());
}

TEST_CASE("prune: a bounded part at a time, due only beyond what may gather") {
  const test::TempFolder temp;
  state::Pruner pruner(temp.path());
  CHECK_FALSE(pruner.is_due());
  CHECK(pruner.prune({0, kAll, "ann", kNow, false}).sessions.empty());
  CHECK_FALSE(std::filesystem::exists(temp.path() / "state.db"));
  const auto store = state::open_store(temp.path());
  const int limit = static_cast<int>(state::kEndedKept + state::kEndedSlack);
  add_ended_between(*store, 1, limit);
  CHECK_FALSE(pruner.is_due());
  add_ended(*store, limit + 1);
  CHECK(pruner.is_due());
  state::PruneWish wish;
  wish.who = "phasegate";
  wish.now = kNow;
  const auto first = pruner.prune(wish);
  CHECK(first.sessions.size() == state::kPrunedAtOnce);
  CHECK(first.more);
  CHECK(first.sessions.front().id == run_id(1));
  CHECK_FALSE(pruner.is_due());
  CHECK(pruner.prune(wish).sessions.size() == state::kPrunedAtOnce);
  const auto last = pruner.prune(wish);
  CHECK(last.sessions.size() == 1);
  CHECK_FALSE(last.more);
  CHECK(count(temp.path(), "SELECT count(*) FROM run") ==
        static_cast<std::int64_t>(state::kEndedKept));
}

TEST_CASE("prune: every change of a tombstone, and one taken out or put in, is found") {
  const test::TempFolder temp;
  {
    const auto store = state::open_store(temp.path());
    add_ended_between(*store, 1, 5);
    CHECK(prune(temp.path(), 1).sessions.size() == 4);
  }
  REQUIRE(tombstones_problem(temp.path()).empty());
  const std::string good = test::read_file(temp.path() / "state.db");
  for (const char* sql : {
           "UPDATE tombstone SET workflow = 'other' WHERE place = 1",
           "UPDATE tombstone SET status = 'failed' WHERE place = 2",
           "UPDATE tombstone SET partial = 1 WHERE place = 2",
           "UPDATE tombstone SET target = '' WHERE place = 2",
           "UPDATE tombstone SET created_at = created_at + 1 WHERE place = 3",
           "UPDATE tombstone SET ended_at = ended_at + 1 WHERE place = 3",
           "UPDATE tombstone SET journal_head = 1 WHERE place = 3",
           "UPDATE tombstone SET chain_head = x'00' WHERE place = 3",
           "UPDATE tombstone SET pruned_at = 1 WHERE place = 4",
           "UPDATE tombstone SET pruned_by = 'bob' WHERE place = 4",
           "UPDATE tombstone SET id = 'x' WHERE place = 4",
           "UPDATE tombstone SET number = 99 WHERE place = 4",
           "UPDATE tombstone SET mac = x'00' WHERE place = 4",
           "DELETE FROM tombstone WHERE place = 4",
           "DELETE FROM tombstone WHERE place = 2",
           "DELETE FROM tombstone",
           "UPDATE tombstone SET place = 9 WHERE place = 4",
           "UPDATE tombstone SET place = CASE place WHEN 2 THEN -3 ELSE -2 END WHERE place IN (2, "
           "3);"
           "UPDATE tombstone SET place = -place WHERE place < 0",
           "INSERT INTO tombstone SELECT 5, 77, 'y', workflow, status, partial, target, created_at,"
           " ended_at, journal_head, chain_head, pruned_at, pruned_by, mac FROM tombstone"
           " WHERE place = 4",
       }) {
    CAPTURE(sql);
    const test::TempFolder copy;
    test::write_file(copy.path() / "state.db", good);
    for (const char* key : {"seal-keys", "seal-anchor"}) {
      std::filesystem::copy_file(temp.path() / key, copy.path() / key);
    }
    CHECK(state::audit(copy.path()).sound());
    state::Db(copy.path() / "state.db", {}).execute(sql);
    CHECK_FALSE(tombstones_problem(copy.path()).empty());
    CHECK_FALSE(state::audit(copy.path()).sound());
  }
}

TEST_CASE("prune: several processes at once remove each session once, while others begin some") {
  const test::TempFolder temp;
  {
    const auto store = state::open_store(temp.path());
    add_ended_between(*store, 1, 30);
  }
  std::vector<int> children;
  for (int process = 0; process < 3; ++process) {
    children.push_back(test::start_child([&] {
      static_cast<void>(prune(temp.path(), 5));
      return true;
    }));
  }
  children.push_back(test::start_child([&] {
    for (int number = 101; number <= 110; ++number) test::add_run(temp.path(), number);
    return true;
  }));
  for (const int child : children) CHECK(test::wait_for_child(child) == 0);
  CHECK(count(temp.path(), "SELECT count(*) FROM tombstone") == 25);
  CHECK(count(temp.path(), "SELECT count(*) FROM run WHERE open = 0") == 5);
  CHECK(count(temp.path(), "SELECT count(*) FROM run WHERE open = 1") == 10);
  CHECK(tombstones_problem(temp.path()).empty());
}

TEST_CASE("prune: a state that was accepted although sessions are missing goes on without a gap") {
  const test::TempFolder temp;
  {
    const auto store = state::open_store(temp.path());
    add_ended_between(*store, 1, 6);
  }
  CHECK(prune(temp.path(), 4).sessions.size() == 2);
  state::Db(temp.path() / "state.db", {})
      .execute("DELETE FROM journal WHERE run = 4; DELETE FROM run WHERE number = 4");
  const state::AuditReport missing = state::audit(temp.path());
  CHECK_FALSE(missing.sound());
  // Those that were pruned are no part of what is missing.
  CHECK(std::count_if(missing.findings.begin(), missing.findings.end(), [](const auto& one) {
          return one.message.starts_with("session number 4 is gone");
        }) == 1);
  static_cast<void>(state::accept_as_it_is(temp.path(), "ann", "one is missing", kNow));
  CHECK(state::audit(temp.path()).sound());
  CHECK(state::find_pruned(temp.path(), "lost-4")->status == "lost");
  CHECK(prune(temp.path(), 1).sessions.size() == 2);
  CHECK(state::audit(temp.path()).sound());
}
