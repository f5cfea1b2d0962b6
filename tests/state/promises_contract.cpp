#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/limits.h"
#include "tests/state/run_store_contract.h"

namespace phasegate::test::contract {
using gating::RunState;
using gating::RunStatus;
using gating::Transition;
using gating::engine::RunQuery;
using gating::engine::TrustRecord;

void what_does_not_exist_is_nothing(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  runs.create_run(a_definition(), first_of(run_id(1)), false);
  const auto never = [](const RunState& run) -> Transition {
    FAIL("there is no run to decide about");
    return step_of(run, "{}");
  };
  for (const std::string& id :
       {run_id(2), std::string(), std::string("%"), std::string("' OR 1=1 --"), run_id(1) + " ",
        run_id(1).substr(1), std::string(100'000, 'x'), run_id(1) + std::string(1, '\0')}) {
    CAPTURE(id);
    CHECK_FALSE(runs.load(id).has_value());
    CHECK_FALSE(runs.transact(id, never).has_value());
    CHECK_FALSE(runs.transact_pinning(id, a_definition("other"), never).has_value());
    CHECK_FALSE(runs.transact_effect(id, 1, {"boot", 1, 1}, never).has_value());
    const auto once = runs.transact_once(id, {"token", 10}, {5}, never);
    CHECK_FALSE(once.already_used);
    CHECK_FALSE(once.transition.has_value());
    CHECK(runs.journal(id, 0, 10).empty());
    CHECK(runs.artifacts(id).empty());
    CHECK_FALSE(runs.find_decision(id).has_value());
    CHECK_FALSE(runs.definition(id).has_value());
    CHECK_FALSE(runs.blob(id).has_value());
    CHECK_FALSE(store->outbox().find(id, "notify").has_value());
    CHECK_FALSE(store->trust().find(id).has_value());
    CHECK(store->trust().revoke(id) == 0);
  }
  CHECK_FALSE(runs.definition(a_definition("other").hash).has_value());
  CHECK(runs.use_once({"token", 10}, {5}));
}

void texts_and_bytes_come_back_as_they_were(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  const std::vector<std::string> bytes = {"", std::string(1, '\0'), every_byte, "\xFF\xFE\xC0\x80",
                                          std::string(3'000'000, '\x80')};
  auto definition = a_definition();
  for (const std::string& one : bytes) definition.blobs[base::sha256_hex(one)] = one;
  runs.create_run(definition, first_of(run_id(1)), false);

  const std::string late = "late\xFF" + std::string(1, '\0');
  const std::string text = "\"" + std::string(base::limits::kEvidenceBytesMax, 'e') + "ü€𝄞\"";
  const auto done = runs.transact(run_id(1), [&](const RunState& run) {
    Transition step = step_of(run, text);
    step.journal.front().actor = "ada\n\"Lovelace\" ü";
    step.effects = {{"notify", "1", 1, text}};
    step.blobs[base::sha256_hex(late)] = late;
    step.artifact = {"1", 1, text, "digest"};
    step.next->end_reason = "ü\n\"' --";
    return step;
  });
  REQUIRE(done.has_value());

  const auto later = make();
  for (const std::string& one : bytes) {
    CHECK(later->runs().blob(base::sha256_hex(one)) == one);
  }
  CHECK(later->runs().blob(base::sha256_hex(late)) == late);
  CHECK(later->runs().load(run_id(1)) == done->next);
  const auto journal = later->runs().journal(run_id(1), 1, 10);
  REQUIRE(journal.size() == 1);
  CHECK(journal[0].entry == done->journal[0]);
  const auto artifacts = later->runs().artifacts(run_id(1));
  REQUIRE(artifacts.size() == 1);
  CHECK(artifacts[0].artifact == *done->artifact);
  CHECK(later->outbox().find(run_id(1), "notify")->effect == done->effects[0]);
}

void a_refused_transition_keeps_no_bytes(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  Transition first = first_of(run_id(1));
  const std::string observed = "what was observed at the start";
  first.blobs[base::sha256_hex(observed)] = observed;
  first.effects = {{"notify", "1", 0, "{}"}};
  runs.create_run(a_definition(), first, false);
  CHECK(runs.blob(base::sha256_hex(observed)) == observed);
  CHECK(store->outbox().find(run_id(1), "notify").has_value());

  const std::string other = "never committed";
  runs.transact(run_id(1), [&](const RunState& run) {
    Transition step = step_of(run, "{}");
    step.blobs[base::sha256_hex(other)] = other;
    step.artifact = {"1", 1, "{}", "d"};
    step.next.reset();
    return step;
  });
  CHECK_FALSE(runs.blob(base::sha256_hex(other)).has_value());
  CHECK(runs.artifacts(run_id(1)).empty());
  CHECK_THROWS_AS(runs.transact(run_id(1),
                                [&](const RunState& run) {
                                  Transition step = step_of(run, "{}");
                                  step.effects = {{"check", "1", 1, "{}"}};
                                  step.blobs["00"] = other;
                                  return step;
                                }),
                  std::logic_error);
  CHECK_FALSE(store->outbox().find(run_id(1), "check").has_value());
  CHECK(runs.journal(run_id(1), 0, 10).size() == 1);
  CHECK(runs.load(run_id(1)) == first.next);
}

void a_list_goes_on_while_runs_change(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  constexpr int kRuns = 20;
  for (int i = 1; i <= kRuns; ++i) {
    Transition first = first_of(run_id(i));
    first.next->updated_at.ms += i;
    runs.create_run(a_definition(), first, false);
  }
  const auto touch = [&](int number, std::int64_t to) {
    runs.transact(run_id(number), [&](const RunState& run) {
      Transition step = step_of(run, "{}");
      step.next->updated_at.ms = to;
      return step;
    });
  };
  std::multiset<std::string> seen;
  RunQuery query{RunQuery::Which::all, "", 3, ""};
  std::int64_t now = 1'800'000'001'000;
  int pages = 0;
  do {
    REQUIRE(++pages < 30);
    const auto page = make()->runs().list(query);
    REQUIRE(page.ok());
    for (const auto& row : page->runs) seen.insert(row.id);
    query.cursor = page->next_cursor;
    // One that has been shown changes, and one that has not, and another begins.
    touch(kRuns, ++now);
    touch(2, ++now);
    Transition first = first_of(run_id(100 + pages));
    first.next->updated_at.ms = ++now;
    runs.create_run(a_definition(), first, false);
  } while (!query.cursor.empty());
  // What did not change is there once; what moved to the front may be missed and is never twice.
  for (int i = 1; i <= kRuns; ++i) {
    CAPTURE(i);
    if (i != 2) CHECK(seen.count(run_id(i)) == 1);
  }
  CHECK(seen.count(run_id(2)) == 0);
  CHECK(seen.size() == kRuns - 1);
  const auto fresh = runs.list({RunQuery::Which::all, "", 1, ""});
  CHECK(fresh->runs.at(0).id == run_id(100 + pages));
}

void a_run_that_ends_changes_its_list(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  const std::vector<RunStatus> all = {RunStatus::active,    RunStatus::waiting,
                                      RunStatus::completed, RunStatus::rejected,
                                      RunStatus::failed,    RunStatus::cancelled};
  runs.create_run(a_definition(), first_of(run_id(1)), false);
  for (const RunStatus status : all) {
    runs.transact(run_id(1), [&](const RunState& run) {
      Transition step = step_of(run, "{}");
      step.next->status = status;
      return step;
    });
    const bool open = gating::is_open(status);
    CHECK(runs.list({RunQuery::Which::open, "", 5, ""})->runs.size() == (open ? 1U : 0U));
    CHECK(runs.list({RunQuery::Which::ended, "spec", 5, ""})->runs.size() == (open ? 0U : 1U));
    CHECK(runs.list({RunQuery::Which::all, "", 5, ""})->runs.at(0).status == status);
  }
}

void time_alone_changes_no_version(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  const Transition first = first_of(run_id(1));
  runs.create_run(a_definition(), first, false);
  const auto ticked = runs.transact(run_id(1), [](const RunState& run) {
    Transition tick;
    tick.next = run;
    tick.next->due_at = base::TimePoint{50};
    tick.journal = {{"session_stalled", "1", 1, 0, "engine", "{}", run.updated_at}};
    tick.effects = {{"notify:log", "1", 0, "{}"}};
    return tick;
  });
  REQUIRE(ticked.has_value());
  const auto run = make()->runs().load(run_id(1));
  CHECK(run->version == first.next->version);
  CHECK(run->updated_at == first.next->updated_at);
  CHECK(run->due_at == base::TimePoint{50});
  CHECK(runs.journal(run_id(1), 0, 10).size() == 2);
  CHECK(store->outbox().find(run_id(1), "notify:log").has_value());
}

void a_reading_sees_one_moment(const StoreMaker& make) {
  const auto store = make();
  CHECK(store->runs().begin_reading() == nullptr);
  store->runs().create_run(a_definition(), first_of(run_id(1)), false);
  const auto other = make();
  const auto advance = [&] {
    other->runs().transact(run_id(1), [](const RunState& run) { return step_of(run, "{}"); });
  };
  {
    const auto reading = store->runs().begin_reading();
    if (reading == nullptr) return;  // a store need not have readings
    CHECK(store->runs().begin_reading() == nullptr);
    advance();
    Transition second = first_of(run_id(2));
    other->runs().create_run(
        a_definition("other"),
        [&] {
          second.next->definition_hash = a_definition("other").hash;
          return second;
        }(),
        false);
    CHECK(store->runs().load(run_id(1))->version == 1);
    CHECK(store->runs().journal(run_id(1), 0, 10).size() == 1);
    CHECK(store->runs().list({})->runs.size() == 1);
    CHECK_FALSE(store->runs().load(run_id(2)).has_value());
    CHECK_FALSE(store->runs().definition(a_definition("other").hash).has_value());
    CHECK_THROWS_AS(
        store->runs().transact(run_id(1), [](const RunState& run) { return step_of(run, "{}"); }),
        std::logic_error);
  }
  CHECK(store->runs().load(run_id(1))->version == 2);
  CHECK(store->runs().load(run_id(2)).has_value());
}

namespace {

TrustRecord record(const std::string& digest, const std::string& workflow, std::int64_t at) {
  return {digest, workflow, R"([{"runs":"make test"}])", "ada", {at}, {"HOME=/h", "A=\nü\"'"}};
}

}  // namespace

void trust_is_given_and_taken_back(const StoreMaker& make) {
  {
    const auto store = make();
    CHECK_FALSE(store->trust().find("d1"));
    CHECK(store->trust().trusted().empty());
    CHECK(store->trust().revoke("fix") == 0);
    store->trust().trust(record("d1", "fix", 5));
    store->trust().trust(record("d2", "fix", 7));
    store->trust().trust(record("d3", "other", 6));
  }
  const auto store = make();
  CHECK(store->trust().find("d1") == record("d1", "fix", 5));
  CHECK_FALSE(store->trust().find("d"));
  const std::vector<TrustRecord> all = store->trust().trusted();
  REQUIRE(all.size() == 3);
  CHECK(all[0].digest == "d2");
  CHECK(all[1].digest == "d3");
  CHECK(all[2].digest == "d1");

  TrustRecord again = record("d1", "fix", 9);
  again.environment = {};
  again.shown = "[]";
  store->trust().trust(again);
  CHECK(make()->trust().find("d1") == again);
  CHECK(store->trust().trusted().size() == 3);
  CHECK(store->trust().revoke("fi") == 0);
  CHECK(store->trust().revoke("fix") == 2);
  CHECK_FALSE(make()->trust().find("d1"));
  CHECK(make()->trust().find("d3"));
}

}  // namespace phasegate::test::contract
