#include <string>

#include <doctest/doctest.h>

#include "state/db.h"
#include "state/state.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
using gating::RunState;
using gating::Transition;
using test::a_definition;
using test::failure_code;
using test::first_of;
using test::run_id;
using test::step_of;

namespace {

/// Three runs: 1 and 2 of one workflow, 3 of another, each with an artifact.
void fill(const std::filesystem::path& folder) {
  const auto store = state::open_store(folder);
  for (int i = 1; i <= 3; ++i) {
    const std::string workflow = i == 3 ? "other" : "spec";
    store->runs().create_run(a_definition(workflow), first_of(run_id(i), "", workflow), false);
    store->runs().transact(run_id(i), [](const RunState& run) {
      Transition step = step_of(run, "{}");
      step.artifact = {"1", 1, "{}", "d"};
      return step;
    });
  }
}

void change(const std::filesystem::path& folder, const std::string& sql) {
  state::Db db(folder / "state.db", {});
  db.execute("PRAGMA foreign_keys=OFF; " + sql);
}

std::string message_of(state::Store& store, const std::string& id) {
  try {
    static_cast<void>(store.runs().load(id));
  } catch (const gating::engine::StoreFailure& failure) {
    CHECK(failure.error().code == "damaged");
    CHECK(failure.error().hint.find("phasegate doctor") != std::string::npos);
    return failure.error().message;
  }
  return "";
}

}  // namespace

TEST_CASE("damaged: a run whose state is broken is refused by name, the others work") {
  struct Case {
    const char* what;
    const char* sql;
    const char* says;
  };
  const Case cases[] = {
      {"not what was stored", "UPDATE run SET state = '{' WHERE number = 1", "not what was stored"},
      {"version turned back", "UPDATE run SET version = 1 WHERE number = 1", "does not verify"},
      {"status of the row", "UPDATE run SET status = 'failed', open = 0 WHERE number = 1",
       "does not verify"},
      {"another run's state",
       "UPDATE run SET state = (SELECT state FROM run WHERE number = 2),"
       " state_digest = (SELECT state_digest FROM run WHERE number = 2) WHERE number = 1",
       "does not verify"},
      {"another run's row with its mark",
       "UPDATE run SET (state, state_digest, chain_head, mac) ="
       " (SELECT state, state_digest, chain_head, mac FROM run WHERE number = 2) WHERE number = 1",
       "does not verify"},
      {"the end of its journal", "DELETE FROM journal WHERE run = 1 AND seq = 2", "does not end"},
      {"an entry more",
       "INSERT INTO journal SELECT run, seq + 1, kind, phase, visit, attempt, actor, data, at,"
       " chain FROM journal WHERE run = 1 AND seq = 2",
       "does not end"},
      {"no JSON, digest and all",
       "UPDATE run SET state = '', state_digest ="
       " 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' WHERE number = 1",
       "does not verify"},
      {"an object that is no state",
       "UPDATE run SET state = '{}', state_digest ="
       " '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a' WHERE number = 1",
       "does not verify"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const test::TempFolder temp;
    fill(temp.path());
    change(temp.path(), c.sql);
    const auto store = state::open_store(temp.path());
    const std::string message = message_of(*store, run_id(1));
    CHECK(message.find(run_id(1)) != std::string::npos);
    CHECK(message.find(c.says) != std::string::npos);
    CHECK(failure_code([&] {
            store->runs().transact(run_id(1), [](const RunState& run) {
              FAIL("nothing may be decided on a damaged state");
              return step_of(run, "{}");
            });
          }) == "damaged");
    CHECK(message_of(*store, run_id(2)).empty());
    store->runs().transact(run_id(3), [](const RunState& run) { return step_of(run, "{}"); });
    CHECK(store->runs().list({})->runs.size() == 3);

    const auto report = state::inspect(temp.path(), {.thorough = true});
    REQUIRE_FALSE(report.damaged.empty());
    CHECK(report.damaged[0].run_id == run_id(1));
  }
}

TEST_CASE("damaged: what was read before is found damaged as well once it has changed") {
  const char* const damages[] = {
      "UPDATE run SET state = replace(state, '\"attempts\":', '\"attempts\": ')",
      "UPDATE run SET state_digest = 'e' || substr(state_digest, 2) WHERE state_digest NOT LIKE "
      "'e%'; UPDATE run SET state_digest = 'd' || substr(state_digest, 2) WHERE state_digest LIKE "
      "'e%'",
      "UPDATE run SET version = version + 1",
      "DELETE FROM definition",
  };
  for (const char* const damage : damages) {
    CAPTURE(damage);
    const test::TempFolder temp;
    fill(temp.path());
    const auto store = state::open_store(temp.path());
    for (int i = 1; i <= 3; ++i) REQUIRE(message_of(*store, run_id(i)).empty());
    change(temp.path(), damage);
    for (int i = 1; i <= 3; ++i) CHECK_FALSE(message_of(*store, run_id(i)).empty());
  }
  const test::TempFolder temp;
  fill(temp.path());
  const auto store = state::open_store(temp.path());
  const std::string blob = a_definition().blobs.begin()->first;
  REQUIRE(store->runs().blob(blob).has_value());
  change(temp.path(), "UPDATE blob SET bytes = CAST(bytes || ' ' AS BLOB)");
  CHECK(failure_code([&] { static_cast<void>(store->runs().blob(blob)); }) == "damaged");
  change(temp.path(), "UPDATE blob SET bytes = substr(bytes, 1, length(bytes) - 1)");
  CHECK(store->runs().blob(blob).has_value());
}

TEST_CASE("damaged: a workflow that is missing or changed stops its runs only") {
  const test::TempFolder temp;
  fill(temp.path());
  const auto definition = a_definition();
  const std::string hash = definition.hash;
  const std::string blob = definition.blobs.begin()->first;
  const auto store = state::open_store(temp.path());
  SUBCASE("the definition is gone") {
    change(temp.path(), "DELETE FROM definition WHERE hash = '" + hash + "'");
    CHECK(message_of(*store, run_id(1)).find("workflow is missing") != std::string::npos);
    CHECK(message_of(*store, run_id(2)).find(run_id(2)) != std::string::npos);
  }
  SUBCASE("the definition is changed") {
    change(temp.path(), "UPDATE definition SET model = '{}' WHERE hash = '" + hash + "'");
    CHECK(failure_code([&] { static_cast<void>(store->runs().definition(hash)); }) == "damaged");
  }
  SUBCASE("a document is changed") {
    change(temp.path(), "UPDATE blob SET bytes = x'00' WHERE hash = '" + blob + "'");
    CHECK(failure_code([&] { static_cast<void>(store->runs().blob(blob)); }) == "damaged");
  }
  SUBCASE("a document is missing") {
    change(temp.path(), "DELETE FROM blob WHERE hash = '" + blob + "'");
    try {
      static_cast<void>(store->runs().blob(blob));
      FAIL("a missing document was not noticed");
    } catch (const gating::engine::StoreFailure& failure) {
      CHECK(failure.error().message.find(run_id(1) + " and 2 more") != std::string::npos);
    }
  }
  SUBCASE("evidence is changed") {
    change(temp.path(), "UPDATE artifact SET evidence = '{\"a\":1}' WHERE run = 1");
    CHECK(failure_code([&] { static_cast<void>(store->runs().artifacts(run_id(1))); }) ==
          "damaged");
    CHECK(store->runs().artifacts(run_id(2)).size() == 1);
  }
  SUBCASE("a journal entry is gone") {
    change(temp.path(), "DELETE FROM journal WHERE run = 1 AND seq = 1");
  }
  CHECK(message_of(*store, run_id(3)).empty());
  CHECK(store->runs().definition(a_definition("other").hash).has_value());
  CHECK_FALSE(state::inspect(temp.path(), {.thorough = true}).damaged.empty());
}

TEST_CASE("damaged: a database without its tables is reported as a whole") {
  for (const char* sql :
       {"ALTER TABLE run RENAME TO rum", "ALTER TABLE blob RENAME COLUMN bytes TO bites"}) {
    CAPTURE(sql);
    const test::TempFolder temp;
    fill(temp.path());
    change(temp.path(), sql);
    const auto store = state::open_store(temp.path());
    const std::string blob = a_definition().blobs.begin()->first;
    const std::string code = failure_code([&] {
      static_cast<void>(store->runs().load(run_id(1)));
      static_cast<void>(store->runs().blob(blob));
    });
    const auto report = state::inspect(temp.path(), {.thorough = true});
    CHECK(code == "damaged");
    const bool noticed = report.problem.has_value() || !report.damaged.empty();
    CHECK(noticed);
  }
}

TEST_CASE("doctor: the report says what is there and changes nothing") {
  const test::TempFolder temp;
  const auto none = state::inspect(temp.path() / "none");
  CHECK_FALSE(none.exists);
  CHECK_FALSE(none.problem.has_value());
  CHECK_FALSE(std::filesystem::exists(temp.path() / "none"));

  const auto folder = temp.path() / "state";
  fill(folder);
  const auto store = state::open_store(folder);
  store->runs().transact(run_id(2), [](const RunState& run) {
    Transition end = step_of(run, "{}");
    end.next->status = gating::RunStatus::cancelled;
    end.effects = {{"notify", "1", 1, "{}"}};
    return end;
  });
  const auto report = state::inspect(folder, {.thorough = true});
  CHECK(report.exists);
  CHECK_FALSE(report.problem.has_value());
  CHECK(report.bytes > 4096);
  CHECK(report.log_bytes > 0);
  CHECK(report.private_to_owner);
  CHECK(report.writable);
  CHECK(report.folder_mode == 0700);
  CHECK(report.file_mode == 0600);
  CHECK(report.schema_version == 5);
  CHECK(report.schema_version_known == 5);
  CHECK(report.database_id.size() == 36);
  CHECK(report.runs == 3);
  CHECK(report.runs_by_status.at("active") == 2);
  CHECK(report.runs_by_status.at("cancelled") == 1);
  CHECK(report.effects_waiting == 1);
  CHECK(report.integrity.empty());
  CHECK(report.damaged.empty());
  CHECK(report.backups.empty());

  std::filesystem::permissions(folder / "state.db", std::filesystem::perms::group_read,
                               std::filesystem::perm_options::add);
  CHECK_FALSE(state::inspect(folder).private_to_owner);
  temp.write("state/state.db.new-left", "x");
  CHECK(state::inspect(folder).unfinished.size() == 1);
}
