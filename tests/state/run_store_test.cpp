#include "state/run_store.h"

#include <filesystem>
#include <stdexcept>

#include <doctest/doctest.h>

#include "state/db.h"
#include "tests/state/run_store_contract.h"
#include "tests/support/files.h"

using namespace phasegate;

namespace {

void on_sqlite(void (*check)(const test::StoreMaker&)) {
  const test::TempFolder folder;
  check(test::sqlite_in(folder.path() / "state"));
}

}  // namespace

namespace contract = test::contract;

TEST_CASE("store on SQLite: the contract of stores") {
  for (const contract::Promise& promise : contract::kPromises) {
    INFO(promise.what);
    on_sqlite(promise.check);
  }
}

TEST_CASE("store: what a person was asked and answered is kept beside the run's state (§6)") {
  const test::TempFolder temp;
  const auto store = state::open_store(temp.path());
  auto& runs = store->runs();
  const auto row = [&](const char* id) {
    state::Db db(temp.path() / "state.db", {});
    state::Statement found = db.prepare(
        "SELECT status, question, coalesce(choice, '-'), coalesce(input, '-'),"
        " coalesce(approver, '-'), coalesce(channel, '-'), coalesce(assurance, '-'), shown_digest,"
        " phase, decided_at IS NULL FROM decision WHERE id = ?");
    std::vector<std::string> columns;
    if (!found.bind_all(id).step()) return columns;
    for (int i = 0; i < 10; ++i) columns.push_back(found.text(i));
    return columns;
  };
  using Columns = std::vector<std::string>;
  runs.create_run(test::a_definition(), test::asking(test::first_of(test::run_id(1)), "d1"), false);
  CHECK(row("d1") == Columns{"open", "Ship it?", "-", "-", "-", "-", "-", "", "1", "1"});
  runs.transact(test::run_id(1), [](const gating::RunState& run) {
    return test::step_of(run, R"({"decision":"d1"})");
  });
  CHECK(row("d1")[0] == "open");
  runs.transact(test::run_id(1), [](const gating::RunState& run) {
    auto step = test::step_of(run, "{}");
    step.next->decision.reset();
    step.journal.insert(step.journal.begin(),
                        {"decision_answered", "1", 1, 1, "approver:ada",
                         R"({"decision":"d1","option":"approve","input":"good","channel":"web",)"
                         R"("assurance":"secret","shown_digest":"beef","approver":"ada"})",
                         run.updated_at});
    return test::asking(std::move(step), "d2");
  });
  CHECK(row("d1") == Columns{"decided", "Ship it?", "approve", "good", "ada", "web", "secret",
                             "beef", "1", "0"});
  CHECK(row("d2")[0] == "open");
  runs.transact(test::run_id(1), [](const gating::RunState& run) {
    auto step = test::step_of(run, "{}");
    step.next->decision.reset();
    return step;
  });
  CHECK(row("d2") == Columns{"withdrawn", "Ship it?", "-", "-", "-", "-", "-", "", "1", "0"});
  CHECK(row("d3").empty());
}
TEST_CASE("store: of processes that come with one token exactly one wins") {
  on_sqlite(contract::processes_use_a_token_once);
}
TEST_CASE("store: used tokens do not pile up, and each addition forgets a bounded number") {
  const test::TempFolder temp;
  const auto store = state::open_store(temp.path());
  const auto kept = [&] {
    state::Db db(temp.path() / "state.db", {});
    return db.query_integer("SELECT count(*) FROM used_once").value_or(-1);
  };
  for (int i = 0; i < 100; ++i) {
    CHECK(store->runs().use_once({"old" + std::to_string(i), 1000 + i}, {1000}));
  }
  CHECK(kept() == 100);
  CHECK(store->runs().use_once({"new", 9000}, {5000}));
  CHECK(kept() == 100 - 64 + 1);
  CHECK(store->runs().use_once({"newer", 9000}, {5000}));
  CHECK(kept() == 2);
}
TEST_CASE("store: many processes on one file lose nothing") {
  on_sqlite(contract::processes_lose_nothing);
}
TEST_CASE("store: processes that start with one key at once share one run") {
  on_sqlite(contract::processes_start_one_run_per_key);
}
TEST_CASE("store: SIGKILL at any moment loses nothing acknowledged and leaves nothing half") {
  on_sqlite(contract::killed_writers_leave_nothing_half);
}
TEST_CASE("outbox: many processes carry out each effect once") {
  on_sqlite(contract::processes_claim_each_effect_once);
}

TEST_CASE("store: a reading sees one moment, begins once, and nothing is written within it") {
  const test::TempFolder temp;
  const auto store = state::open_store(temp.path());
  CHECK(store->runs().begin_reading() == nullptr);
  test::add_run(temp.path());
  const auto other = state::open_store(temp.path());
  const auto advance = [](state::Store& in) {
    in.runs().transact(test::run_id(1),
                       [](const gating::RunState& run) { return test::step_of(run, "{}"); });
  };
  const auto version = [&] { return store->runs().load(test::run_id(1))->version; };
  const auto before = version();
  {
    const auto reading = store->runs().begin_reading();
    REQUIRE(reading != nullptr);
    CHECK(store->runs().begin_reading() == nullptr);
    advance(*other);
    CHECK(version() == before);
    CHECK(store->runs().list({})->runs.size() == 1);
    CHECK_THROWS_AS(advance(*store), std::logic_error);
  }
  CHECK(version() == before + 1);
  advance(*store);
  CHECK(version() == before + 2);
}

TEST_CASE("store: each reading looks whether the files are still in place, and failing ends it") {
  const test::TempFolder temp;
  test::add_run(temp.path());
  const auto store = state::open_store(temp.path());
  REQUIRE(store->runs().begin_reading() != nullptr);
  std::filesystem::remove(temp.path() / "state.db");
  CHECK(test::failure_code([&] { static_cast<void>(store->runs().begin_reading()); }) == "damaged");
  test::add_run(temp.path() / "new");
  for (const char* name : {"seal-keys", "seal-anchor", "state.db"}) {
    std::filesystem::rename(temp.path() / "new" / name, temp.path() / name);
  }
  const auto reading = store->runs().begin_reading();
  CHECK(reading != nullptr);
  {
    state::Db db(temp.path() / "state.db", {});
    db.execute("UPDATE run SET state = '{'");
  }
  CHECK(store->runs().load(test::run_id(1)).has_value());
}

TEST_CASE("store: a failure within a reading leaves a store that can be used") {
  const test::TempFolder temp;
  test::add_run(temp.path(), 1);
  test::add_run(temp.path(), 2);
  {
    state::Db db(temp.path() / "state.db", {});
    db.execute("UPDATE run SET state = '{' WHERE number = 1");
  }
  const auto store = state::open_store(temp.path());
  {
    const auto reading = store->runs().begin_reading();
    REQUIRE(reading != nullptr);
    CHECK(test::failure_code([&] { static_cast<void>(store->runs().load(test::run_id(1))); }) ==
          "damaged");
    CHECK(store->runs().load(test::run_id(2)).has_value());
  }
  CHECK(store->runs().load(test::run_id(2)).has_value());
  store->runs().transact(test::run_id(2),
                         [](const gating::RunState& run) { return test::step_of(run, "{}"); });
}
