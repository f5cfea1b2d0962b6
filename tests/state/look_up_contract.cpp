#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/state/run_store_contract.h"

namespace phasegate::test::contract {
using gating::RunState;
using gating::RunStatus;
using gating::Transition;
using gating::engine::JournalRow;
using gating::engine::RunQuery;
namespace {

void begin(gating::engine::RunStore& runs, const std::string& id, const std::string& branch,
           bool ends) {
  Transition first = first_of(id);
  first.next->branch = branch;
  if (ends) first.next->status = RunStatus::completed;
  runs.create_run(a_definition(), first, false);
}

std::vector<std::string> ids_of(gating::engine::RunStore& runs, const RunQuery& query) {
  const auto page = runs.list(query);
  REQUIRE(page.ok());
  std::vector<std::string> ids;
  for (const auto& run : page->runs) ids.push_back(run.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<std::int64_t> numbers_of(const std::vector<JournalRow>& rows) {
  std::vector<std::int64_t> numbers;
  for (const JournalRow& row : rows) numbers.push_back(row.seq);
  return numbers;
}

}  // namespace

void lists_are_of_a_branch_or_an_id(const StoreMaker& make) {
  using Which = RunQuery::Which;
  const auto store = make();
  auto& runs = store->runs();
  const std::string a = "abcd0000-0000-4000-8000-000000000001";
  const std::string b = "abcd0000-0000-4000-8000-000000000002";
  const std::string c = "abce0000-0000-4000-8000-000000000003";
  const std::string d = "0bcd0000-0000-4000-8000-000000000004";
  begin(runs, a, "main", false);
  begin(runs, b, "", true);
  begin(runs, c, "main", true);
  begin(runs, d, "mainline", false);

  struct Case {
    Which which;
    std::optional<std::string> branch;
    std::string prefix;
    std::vector<std::string> ids;
  };
  const std::vector<Case> cases = {
      {Which::all, "main", "", {a, c}},
      {Which::open, "main", "", {a}},
      {Which::ended, "main", "", {c}},
      {Which::all, "", "", {b}},
      {Which::all, "none", "", {}},
      {Which::all, {}, "abcd", {a, b}},
      {Which::all, {}, "abc", {a, b, c}},
      {Which::open, {}, "abc", {a}},
      {Which::ended, {}, "abc", {b, c}},
      {Which::all, "main", "abc", {a, c}},
      {Which::all, {}, a, {a}},
      {Which::all, {}, a + "0", {}},
      {Which::all, {}, "abcd0000-0000-4000-8000-00000000000", {a, b}},
      {Which::all, {}, "1", {}},
      {Which::all, {}, "%", {}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.prefix);
    CAPTURE(one.branch.value_or("any"));
    CHECK(ids_of(runs, {one.which, "", 50, "", one.branch, one.prefix}) == one.ids);
    CHECK(ids_of(runs, {one.which, "spec", 50, "", one.branch, one.prefix}) == one.ids);
    CHECK(ids_of(runs, {one.which, "other", 50, "", one.branch, one.prefix}).empty());
  }

  // Page by page, and a cursor goes with its query only.
  RunQuery query{Which::all, "", 1, "", std::nullopt, "abc"};
  std::vector<std::string> paged;
  do {
    const auto page = runs.list(query);
    REQUIRE(page.ok());
    for (const auto& run : page->runs) paged.push_back(run.id);
    query.cursor = page->next_cursor;
    if (query.cursor.empty()) break;
    CHECK_FALSE(runs.list({Which::all, "", 1, query.cursor}).ok());
    CHECK_FALSE(runs.list({Which::all, "", 1, query.cursor, "abc"}).ok());
    CHECK_FALSE(runs.list({Which::all, "", 1, query.cursor, "", "abc"}).ok());
  } while (paged.size() < 10);
  std::sort(paged.begin(), paged.end());
  CHECK(paged == std::vector<std::string>{a, b, c});
}

void a_journal_is_read_from_its_end(const StoreMaker& make) {
  const auto store = make();
  auto& runs = store->runs();
  CHECK(runs.journal_end(run_id(1), 10).empty());
  CHECK(runs.journal_of_people(run_id(1), 0, 10).empty());
  runs.create_run(a_definition(), first_of(run_id(1)), false);
  runs.create_run(a_definition(), first_of(run_id(2)), false);
  for (const char* kind : {"evidence_refused", "decision_answered", "phase_completed",
                           "reopen_demanded", "decision_answered"}) {
    runs.transact(run_id(1), [&](const RunState& run) {
      Transition step = step_of(run, R"({"approver":"ada"})");
      step.journal.front().kind = kind;
      return step;
    });
  }
  using Numbers = std::vector<std::int64_t>;
  CHECK(numbers_of(runs.journal_end(run_id(1), 2)) == Numbers{5, 6});
  CHECK(runs.journal_end(run_id(1), 100) == runs.journal(run_id(1), 0, 100));
  CHECK(runs.journal_end(run_id(1), 0).empty());
  CHECK(numbers_of(runs.journal_end(run_id(2), 5)) == Numbers{1});
  CHECK(numbers_of(runs.journal_of_people(run_id(1), 0, 100)) == Numbers{3, 5, 6});
  CHECK(numbers_of(runs.journal_of_people(run_id(1), 3, 1)) == Numbers{5});
  CHECK(runs.journal_of_people(run_id(1), 0, 1).front() == runs.journal(run_id(1), 2, 1).front());
  CHECK(runs.journal_of_people(run_id(2), 0, 100).empty());
}

void an_effect_waits_behind_no_deferred_ones(const StoreMaker& make) {
  const auto store = make();
  const gating::engine::Owner owner{"boot", 10, 100};
  Transition first = first_of(run_id(1));
  for (int i = 1; i <= 5; ++i) first.effects.push_back({"notify", "1", i, "{}"});
  store->runs().create_run(a_definition(), first, false);
  auto& outbox = store->outbox();
  const gating::engine::ClaimWish notify{"", "notify", {}};
  // The first waits longer than the second; both come after what nobody has had yet.
  for (const std::int64_t until : {3'000, 2'000}) {
    const auto row = outbox.claim(owner, {1'000}, 500, notify);
    REQUIRE(row.has_value());
    CHECK(outbox.defer(row->id, owner, {until}));
  }
  std::vector<int> order;
  while (const auto row = outbox.claim(owner, {4'000}, 500, notify)) {
    order.push_back(row->effect.attempt);
  }
  CHECK(order == std::vector<int>{3, 4, 5, 2, 1});
}

}  // namespace phasegate::test::contract
