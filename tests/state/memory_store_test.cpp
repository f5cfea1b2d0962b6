// The contract of stores holds for a store that has nothing in common with SQLite: it speaks of
// what every store must do, and another one can be put under it unchanged.
#include "tests/state/memory_store.h"

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "tests/state/run_store_contract.h"
#include "tests/support/files.h"

namespace phasegate::test {
namespace {

using gating::RunState;
using gating::RunStatus;
using gating::Transition;
using gating::engine::Owner;
using gating::engine::RunQuery;

TEST_CASE("store in memory: the whole contract but for processes") {
  for (const contract::Promise& promise : contract::kPromises) {
    INFO(promise.what);
    promise.check(in_memory());
  }
}

/// What one store says about everything, in words that can be compared.
std::string all_of(state::Store& store, int runs) {
  std::string all;
  const auto add = [&](const auto&... parts) {
    ((all += parts + std::string("|")), ...);
    all += '\n';
  };
  for (int i = 1; i <= runs; ++i) {
    const auto run = store.runs().load(run_id(i));
    if (!run) continue;
    add(run->id, std::to_string(run->version), std::string(gating::to_text(run->status)),
        run->definition_hash, std::to_string(run->updated_at.ms));
    for (const auto& row : store.runs().journal(run->id, 0, 1000)) {
      add(std::to_string(row.seq), row.entry.kind, row.entry.data);
    }
    for (const auto& row : store.runs().artifacts(run->id)) {
      add(row.artifact.phase, std::to_string(row.artifact.visit), row.artifact.evidence);
    }
  }
  for (const auto which : {RunQuery::Which::open, RunQuery::Which::ended, RunQuery::Which::all}) {
    RunQuery query{which, "", 2, ""};
    do {
      const auto page = store.runs().list(query);
      REQUIRE(page.ok());
      for (const auto& row : page->runs) add(row.id, std::to_string(row.phases_completed));
      query.cursor = page->next_cursor;
    } while (!query.cursor.empty());
  }
  for (const std::string& id : store.runs().due({1'000}, 100)) add(id);
  add(std::to_string(store.outbox().next_due("check").value_or(base::TimePoint{-1}).ms));
  return all;
}

/// One step, the same for both stores; what it answers, in words.
std::string step(state::Store& store, std::mt19937& random, int runs) {
  const auto any = [&](unsigned bound) { return static_cast<int>(random() % bound); };
  const std::string id = run_id(1 + any(static_cast<unsigned>(runs)));
  const int kind = any(12);
  const int detail = any(1000);
  const Owner owner{"boot", 1 + detail % 2, 1};
  const base::TimePoint now{detail};
  const auto decide = [&](const RunState& run) {
    if (detail % 11 == 0) throw std::out_of_range("mine");
    Transition step = step_of(run, std::to_string(detail));
    if (detail % 3 == 0) step.effects = {{"check", "1", detail, "{}"}};
    if (detail % 5 == 0) step.next.reset();
    if (step.next && detail % 7 == 0) step.next->status = RunStatus::cancelled;
    if (step.next && detail % 4 == 0) step.next->due_at = base::TimePoint{detail};
    if (step.next && detail % 13 == 0) {
      step.artifact = {std::to_string(detail % 3), 1, "{}", "d"};
    }
    return step;
  };
  const auto said = [](const std::optional<Transition>& done) {
    if (!done) return std::string("none");
    return std::string(done->next ? "changed" : "refused");
  };
  try {
    if (kind <= 1) {
      Transition first = first_of(id, "key" + std::to_string(detail % 3));
      first.next->created_at.ms += detail;
      const auto made = store.runs().create_run(a_definition(), first, detail % 2 == 0);
      return made.run_id + (made.resumed ? " resumed" : "");
    }
    if (kind <= 4) return said(store.runs().transact(id, decide));
    if (kind == 5) {
      const auto other = a_definition("other");
      return said(store.runs().transact_pinning(id, other, [&](const RunState& run) {
        Transition step = decide(run);
        if (step.next) step.next->definition_hash = other.hash;
        return step;
      }));
    }
    if (kind == 6) {
      const auto once =
          store.runs().transact_once(id, {"t" + std::to_string(detail % 20), 500}, now, decide);
      return once.already_used ? "used" : said(once.transition);
    }
    if (kind <= 8) {
      const auto row = store.outbox().claim(owner, now, detail % 50);
      return row ? std::to_string(row->id) + row->run_id + std::to_string(row->deliveries) : "none";
    }
    if (kind == 9) return said(store.runs().transact_effect(id, detail % 20, owner, decide));
    if (kind == 10) {
      return std::to_string(static_cast<int>(store.outbox().finish(detail % 20, owner))) +
             std::to_string(static_cast<int>(store.outbox().defer(detail % 21, owner, now)));
    }
    store.outbox().release_all(owner);
    return "released";
  } catch (const std::logic_error&) {
    return "thrown";
  }
}

TEST_CASE("store on SQLite: whatever is done, it answers what a store in memory answers") {
  constexpr int kRuns = 6;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const TempFolder folder;
    const StoreMaker real = sqlite_in(folder.path() / "state");
    const StoreMaker model = in_memory();
    // Two handles each, as two processes would have.
    const std::unique_ptr<state::Store> reals[] = {real(), real()};
    const auto kept = model();
    for (state::Store* store : {reals[0].get(), kept.get()}) {
      store->runs().create_run(a_definition(), first_of(run_id(1), "key0"), false);
    }
    std::mt19937 random(seed);
    for (int i = 0; i < 60; ++i) {
      CAPTURE(i);
      std::mt19937 same = random;
      REQUIRE(step(*reals[i % 2], random, kRuns) == step(*kept, same, kRuns));
      random.discard(1);
    }
    CHECK(all_of(*reals[0], kRuns) == all_of(*kept, kRuns));
    CHECK(all_of(*real(), kRuns) == all_of(*kept, kRuns));
  }
}

}  // namespace
}  // namespace phasegate::test
