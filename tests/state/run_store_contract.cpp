#include "tests/state/run_store_contract.h"

#include <set>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

namespace phasegate::test::contract {
using gating::RunState;
using gating::RunStatus;
using gating::Transition;
using gating::engine::RunQuery;

void empty_store_reads_as_empty(const StoreMaker& make) {
  const auto store = make();
  CHECK_FALSE(store->runs().load(run_id(1)).has_value());
  const auto page = store->runs().list({});
  REQUIRE(page.ok());
  CHECK(page->runs.empty());
  CHECK(page->next_cursor.empty());
  CHECK(store->runs().journal(run_id(1), 0, 10).empty());
  CHECK(store->runs().artifacts(run_id(1)).empty());
  CHECK_FALSE(store->runs().definition("x").has_value());
  CHECK_FALSE(store->runs().blob("x").has_value());
  CHECK_FALSE(store->runs().transact(run_id(1), [](const RunState& run) {
    FAIL("there is no run to decide about");
    return step_of(run, "{}");
  }));
  CHECK_FALSE(store->outbox().claim({"boot", 1, 1}, {0}, 1000).has_value());
  CHECK_FALSE(store->outbox().finish(1, {"boot", 1, 1}));
  CHECK_FALSE(store->outbox().heartbeat(1, {"boot", 1, 1}, {0}, 1));
  store->outbox().release_all({"boot", 1, 1});
}

void a_run_is_read_back(const StoreMaker& make) {
  const Transition first = first_of(run_id(1), "key");
  {
    const auto store = make();
    const auto outcome = store->runs().create_run(a_definition(), first, false);
    CHECK(outcome.run_id == run_id(1));
    CHECK_FALSE(outcome.resumed);
    CHECK(store->runs().load(run_id(1)) == first.next);
  }
  const auto later = make();
  CHECK(later->runs().load(run_id(1)) == first.next);
  CHECK_FALSE(later->runs().load(run_id(2)).has_value());
  CHECK_FALSE(later->runs().load("' OR 1=1 --").has_value());
  const auto journal = later->runs().journal(run_id(1), 0, 10);
  REQUIRE(journal.size() == 1);
  CHECK(journal[0].seq == 1);
  CHECK(journal[0].entry == first.journal[0]);
}

void a_decision_is_found_by_its_id(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  CHECK_FALSE(runs.find_decision("d1").has_value());
  runs.create_run(a_definition(), asking(first_of(run_id(1)), "d1"), false);
  runs.create_run(a_definition(), first_of(run_id(2)), false);
  runs.transact(run_id(2), [](const RunState& run) { return asking(step_of(run, "{}"), "d2"); });
  CHECK(runs.find_decision("d1") == run_id(1));
  CHECK(make()->runs().find_decision("d2") == run_id(2));
  for (const char* unknown : {"", "d", "D1", "d1 ", "' OR 1=1 --", "%"}) {
    CHECK_FALSE(runs.find_decision(unknown).has_value());
  }
  // What is not committed has asked nobody.
  CHECK_THROWS(runs.transact(run_id(2), [](const RunState& run) {
    Transition broken = asking(step_of(run, "{}"), "d3");
    broken.next->version = run.version - 1;
    return broken;
  }));
  CHECK_FALSE(runs.find_decision("d3").has_value());
  // A closed one still leads to its run, whose state says that it is closed.
  runs.transact(run_id(1), [](const RunState& run) {
    Transition step = step_of(run, "{}");
    step.next->decision.reset();
    return step;
  });
  CHECK(runs.find_decision("d1") == run_id(1));
}

void an_open_run_is_resumed(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  runs.create_run(a_definition(), first_of(run_id(1), "key"), true);
  const auto again =
      runs.create_run(a_definition("other"), first_of(run_id(2), "key", "other"), true);
  CHECK(again.resumed);
  CHECK(again.run_id == run_id(1));
  CHECK_FALSE(runs.load(run_id(2)).has_value());
  CHECK_FALSE(runs.definition(a_definition("other").hash).has_value());

  // Asked for a new one; then the newest is the one to resume.
  Transition forced = first_of(run_id(3), "key");
  forced.next->created_at.ms += 1;
  CHECK_FALSE(runs.create_run(a_definition(), forced, false).resumed);
  CHECK(runs.create_run(a_definition(), first_of(run_id(4), "key"), true).run_id == run_id(3));

  // Another key, no key, and runs that have ended are not resumed.
  CHECK_FALSE(runs.create_run(a_definition(), first_of(run_id(5), "else"), true).resumed);
  CHECK_FALSE(runs.create_run(a_definition(), first_of(run_id(6)), true).resumed);
  CHECK_FALSE(runs.create_run(a_definition(), first_of(run_id(7)), true).resumed);
  runs.transact(run_id(5), [](const RunState& run) {
    Transition end = step_of(run, "{}");
    end.next->status = RunStatus::cancelled;
    return end;
  });
  CHECK_FALSE(runs.create_run(a_definition(), first_of(run_id(8), "else"), true).resumed);
  runs.transact(run_id(8), [](const RunState& run) {
    Transition wait = step_of(run, "{}");
    wait.next->status = RunStatus::waiting;
    return wait;
  });
  CHECK(runs.create_run(a_definition(), first_of(run_id(9), "else"), true).run_id == run_id(8));
}

void definitions_are_kept_once(const StoreMaker& make) {
  const auto store = make();
  const auto definition = a_definition();
  store->runs().create_run(definition, first_of(run_id(1)), false);
  store->runs().create_run(definition, first_of(run_id(2)), false);
  // One that somebody else has put under this hash must not take its place.
  auto changed = definition;
  changed.model = "another text under the same hash";
  CHECK(failure_code([&] { store->runs().create_run(changed, first_of(run_id(3)), false); }) ==
        "damaged");
  CHECK_FALSE(store->runs().load(run_id(3)).has_value());

  const auto kept = store->runs().definition(definition.hash);
  REQUIRE(kept.has_value());
  CHECK(kept->model == definition.model);
  CHECK(kept->model_version == definition.model_version);
  CHECK(kept->hash == definition.hash);
  CHECK(kept->blobs.empty());
  for (const auto& [hash, bytes] : definition.blobs) CHECK(store->runs().blob(hash) == bytes);
  CHECK_FALSE(store->runs().definition("unknown").has_value());
  CHECK_FALSE(store->runs().blob("unknown").has_value());
}

void a_run_and_its_definition_change_together(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  runs.create_run(a_definition(), first_of(run_id(1)), false);
  const auto other = a_definition("other");
  const auto pinned = [&](const RunState& run) {
    Transition step = step_of(run, "{}");
    step.next->definition_hash = other.hash;
    return step;
  };
  const auto nothing = runs.transact_pinning(run_id(1), other, [&](const RunState& run) {
    Transition step = pinned(run);
    step.next.reset();
    return step;
  });
  CHECK(nothing.has_value());
  CHECK_FALSE(runs.definition(other.hash).has_value());
  CHECK_THROWS(runs.transact_pinning(
      run_id(1), other, [](const RunState&) -> Transition { throw std::runtime_error("no"); }));
  CHECK_FALSE(runs.definition(other.hash).has_value());
  CHECK_FALSE(runs.transact_pinning(run_id(2), other, pinned).has_value());
  CHECK_FALSE(runs.definition(other.hash).has_value());

  CHECK(runs.transact_pinning(run_id(1), other, pinned).has_value());
  const auto later = make();
  REQUIRE(later->runs().load(run_id(1)).has_value());
  CHECK(later->runs().load(run_id(1))->definition_hash == other.hash);
  CHECK(later->runs().definition(other.hash)->model == other.model);
  CHECK(later->runs().definition(a_definition().hash).has_value());
}

void a_transition_is_all_or_nothing(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  runs.create_run(a_definition(), first_of(run_id(1)), false);
  const auto before = runs.load(run_id(1));

  // Nothing to commit: the reply comes back and nothing is written.
  const auto refused = runs.transact(run_id(1), [](const RunState& run) {
    Transition transition = step_of(run, "{}");
    transition.next.reset();
    transition.effects = {{"notify", "1", 1, "{}"}};
    return transition;
  });
  REQUIRE(refused.has_value());
  CHECK_FALSE(refused->next.has_value());
  CHECK(runs.load(run_id(1)) == before);
  CHECK(runs.journal(run_id(1), 0, 10).size() == 1);
  CHECK_FALSE(store->outbox().claim({"boot", 1, 1}, {0}, 1000).has_value());

  // What the decision throws passes through, and nothing is written.
  CHECK_THROWS_AS(
      runs.transact(run_id(1),
                    [](const RunState&) -> Transition { throw std::out_of_range("mine"); }),
      std::out_of_range);
  // Our own mistakes are refused before they are kept.
  CHECK_THROWS_AS(runs.transact(run_id(1),
                                [](const RunState& run) {
                                  Transition same = step_of(run, "{}");
                                  same.next->version = run.version - 1;
                                  return same;
                                }),
                  std::logic_error);
  CHECK_THROWS_AS(runs.transact(run_id(1),
                                [](const RunState& run) {
                                  Transition other = step_of(run, "{}");
                                  other.next->id = run_id(9);
                                  return other;
                                }),
                  std::logic_error);
  CHECK_THROWS_AS(runs.create_run(a_definition(), first_of(run_id(1)), false), std::logic_error);
  CHECK_THROWS_AS(runs.create_run(a_definition("b"), first_of(run_id(2)), false), std::logic_error);
  auto wrong_blob = a_definition("c");
  wrong_blob.blobs["00"] = "bytes with another hash";
  CHECK_THROWS_AS(runs.create_run(wrong_blob, first_of(run_id(2), "", "c"), false),
                  std::logic_error);
  CHECK(runs.load(run_id(1)) == before);
  CHECK(runs.journal(run_id(1), 0, 10).size() == 1);
  CHECK_FALSE(runs.load(run_id(2)).has_value());
  CHECK_FALSE(runs.definition(a_definition("c").hash).has_value());

  // A transition that is committed is there as a whole.
  const auto done = runs.transact(run_id(1), [](const RunState& run) {
    Transition transition = step_of(run, R"({"text":"a\u0000b"})");
    transition.effects = {{"notify", "1", 1, R"({"to":"x"})"}};
    return transition;
  });
  REQUIRE(done.has_value());
  CHECK(runs.load(run_id(1)) == done->next);
  CHECK(runs.journal(run_id(1), 1, 10).size() == 1);
  const auto effect = store->outbox().claim({"boot", 1, 1}, {0}, 1000);
  REQUIRE(effect.has_value());
  CHECK(effect->effect == done->effects[0]);
  CHECK(effect->run_id == run_id(1));
}

void the_journal_has_no_gaps(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  runs.create_run(a_definition(), first_of(run_id(1)), false);
  runs.create_run(a_definition(), first_of(run_id(2)), false);
  for (int i = 0; i < 20; ++i) {
    runs.transact(run_id(1 + i % 2), [i](const RunState& run) {
      Transition step = step_of(run, std::to_string(i));
      step.journal.resize(static_cast<std::size_t>(i % 4), step.journal.front());
      return step;
    });
  }
  for (const int number : {1, 2}) {
    const auto all = runs.journal(run_id(number), 0, 1000);
    std::int64_t seq = 0;
    for (const auto& row : all) CHECK(row.seq == ++seq);
    // Entries per transition: 0, 1, 2, 3 in turn; run 1 gets the even ones, run 2 the odd ones.
    CHECK(all.size() == (number == 1 ? 1U + 10U : 1U + 20U));
    CHECK(runs.journal(run_id(number), 3, 2).size() == 2);
    CHECK(runs.journal(run_id(number), 3, 2)[0] == all[3]);
    CHECK(runs.journal(run_id(number), seq, 10).empty());
    CHECK(runs.journal(run_id(number), -5, 0).empty());
  }
}

void artifacts_come_in_order(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  runs.create_run(a_definition(), first_of(run_id(1)), false);
  const std::vector<std::string> phases = {"0", "10", "2", "0B"};
  for (const std::string& phase : phases) {
    runs.transact(run_id(1), [&](const RunState& run) {
      Transition step = step_of(run, "{}");
      step.next->accepted.push_back(
          {phase, 1, 1, "d" + phase, step.next->updated_at, 0, 0, 0, false, false});
      step.artifact = {phase, 1, R"({"phase":")" + phase + "\"}", "d" + phase};
      return step;
    });
  }
  CHECK(runs.list({})->runs.at(0).phases_completed == 4);
  const auto artifacts = make()->runs().artifacts(run_id(1));
  REQUIRE(artifacts.size() == phases.size());
  for (std::size_t i = 0; i < phases.size(); ++i) {
    CHECK(artifacts[i].artifact.phase == phases[i]);
    CHECK(artifacts[i].artifact.evidence == R"({"phase":")" + phases[i] + "\"}");
    CHECK(artifacts[i].artifact.digest == "d" + phases[i]);
    CHECK(artifacts[i].accepted_at.ms == 1'800'000'000'001 + static_cast<std::int64_t>(i));
    CHECK_FALSE(artifacts[i].stale);
  }
  // A phase is accepted once per visit.
  CHECK_THROWS_AS(runs.transact(run_id(1),
                                [](const RunState& run) {
                                  Transition step = step_of(run, "{}");
                                  step.artifact = {"0", 1, "{}", "again"};
                                  return step;
                                }),
                  std::logic_error);
  CHECK(runs.artifacts(run_id(1)).size() == phases.size());
  CHECK(runs.artifacts(run_id(2)).empty());
}

namespace {

/// 23 runs: every third ended, every fifth of another workflow, several changed at one moment.
void fill(gating::engine::RunStore& runs) {
  for (int i = 1; i <= 23; ++i) {
    Transition first = first_of(run_id(i), "", i % 5 == 0 ? "other" : "spec");
    first.next->created_at.ms += i;
    first.next->updated_at.ms += (i * 7) % 4;
    if (i % 3 == 0) first.next->status = RunStatus::completed;
    if (i % 4 == 0) first.next->partial = true;
    runs.create_run(a_definition(first.next->workflow), first, false);
  }
}

std::vector<gating::engine::RunSummary> all_pages(gating::engine::RunStore& runs, RunQuery query) {
  std::vector<gating::engine::RunSummary> all;
  for (int pages = 0; pages < 100; ++pages) {
    const auto page = runs.list(query);
    REQUIRE(page.ok());
    CHECK(page->runs.size() <= query.limit);
    all.insert(all.end(), page->runs.begin(), page->runs.end());
    if (page->next_cursor.empty()) return all;
    query.cursor = page->next_cursor;
  }
  FAIL("the pages do not end");
  return all;
}

}  // namespace

void lists_page_through_everything(const StoreMaker& make) {
  const auto store = make();
  fill(store->runs());
  for (const auto which : {RunQuery::Which::open, RunQuery::Which::ended, RunQuery::Which::all}) {
    for (const std::string workflow : {"", "spec", "other", "none"}) {
      std::size_t expected = 0;
      for (int i = 1; i <= 23; ++i) {
        const bool open = i % 3 != 0;
        const std::string name = i % 5 == 0 ? "other" : "spec";
        if (which == RunQuery::Which::open && !open) continue;
        if (which == RunQuery::Which::ended && open) continue;
        if (workflow.empty() || workflow == name) ++expected;
      }
      for (const std::size_t limit : {1U, 2U, 7U, 23U, 50U}) {
        CAPTURE(workflow);
        CAPTURE(limit);
        const auto all = all_pages(store->runs(), {which, workflow, limit, ""});
        CHECK(all.size() == expected);
        std::set<std::string> ids;
        for (std::size_t i = 0; i < all.size(); ++i) {
          ids.insert(all[i].id);
          if (i == 0) continue;
          const bool sorted =
              all[i].updated_at < all[i - 1].updated_at ||
              (all[i].updated_at == all[i - 1].updated_at && all[i].id < all[i - 1].id);
          CHECK(sorted);
        }
        CHECK(ids.size() == all.size());
      }
    }
  }
  const auto page = store->runs().list({RunQuery::Which::all, "", 50, ""});
  for (const auto& row : page->runs) {
    const auto run = store->runs().load(row.id);
    REQUIRE(run.has_value());
    CHECK(row.workflow == run->workflow);
    CHECK(row.status == run->status);
    CHECK(row.partial == run->partial);
    CHECK(row.current_phase == run->current_phase);
    CHECK(row.target == run->target);
    CHECK(row.branch == run->branch);
    CHECK(row.created_at == run->created_at);
    CHECK(row.updated_at == run->updated_at);
  }
  // Limits out of range are brought into range.
  CHECK(store->runs().list({RunQuery::Which::all, "", 0, ""})->runs.size() == 1);
  CHECK(store->runs().list({RunQuery::Which::all, "", 1'000'000, ""})->runs.size() == 23);
}

void strange_cursors_are_refused(const StoreMaker& make) {
  const auto store = make();
  const auto before = store->runs().list({RunQuery::Which::all, "", 5, "nonsense"});
  REQUIRE_FALSE(before.ok());
  fill(store->runs());
  const RunQuery query{RunQuery::Which::all, "", 5, ""};
  const std::string good = store->runs().list(query)->next_cursor;
  REQUIRE_FALSE(good.empty());
  std::vector<std::string> bad = {"x",
                                  ".",
                                  "..",
                                  "1.2.3",
                                  good + "x",
                                  good.substr(1),
                                  good.substr(0, good.size() - 1),
                                  "-" + good,
                                  " " + good,
                                  std::string(5000, '9'),
                                  std::string(1, '\0'),
                                  "99999999999999999999.0123456789abcdef.x"};
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string changed = good;
    changed[i] = changed[i] == '1' ? '2' : '1';
    bad.push_back(changed);
  }
  for (const std::string& cursor : bad) {
    CAPTURE(cursor);
    const auto page = store->runs().list({query.which, query.workflow, query.limit, cursor});
    REQUIRE_FALSE(page.ok());
    CHECK(page.error().code == "invalid_cursor");
    CHECK_FALSE(page.error().hint.empty());
  }
  // A cursor of another list would leave a gap without anyone noticing.
  CHECK_FALSE(store->runs().list({RunQuery::Which::open, "", 5, good}).ok());
  CHECK_FALSE(store->runs().list({RunQuery::Which::all, "spec", 5, good}).ok());
  CHECK(store->runs().list({RunQuery::Which::all, "", 17, good}).ok());
}

}  // namespace phasegate::test::contract
