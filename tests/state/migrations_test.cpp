#include "state/migrations.h"

#include <array>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "state/backups.h"
#include "state/run_store.h"
#include "state/state.h"
#include "state/store_file.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;
using test::add_run;
using test::failure_code;
using test::run_id;

namespace {

/// The schema version of this program.
constexpr int kNow = 6;
/// Made before the two more steps of with().
const std::string kBackup = "state.db.before-v" + std::to_string(kNow + 2);

/// The real schema and two more steps, as a later program would have.
std::vector<state::Migration> with(std::string_view second, std::string_view third) {
  std::vector<state::Migration> migrations(state::all_migrations().begin(),
                                           state::all_migrations().end());
  const int newest = migrations.back().version;
  migrations.push_back({newest + 1, second});
  migrations.push_back({newest + 2, third});
  return migrations;
}

constexpr std::string_view kSecond = "ALTER TABLE run ADD COLUMN extra TEXT";
constexpr std::string_view kThird =
    "CREATE TABLE later (x TEXT) STRICT; INSERT INTO later VALUES ('y')";

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

std::int64_t version_of(const fs::path& file) {
  state::Db db(file, {.mode = state::DbOptions::Mode::read_only});
  return db.query_integer("PRAGMA user_version").value_or(-1);
}

}  // namespace

TEST_CASE("migrations: numbered from 1 without gaps, every table of the design is there") {
  const auto migrations = state::all_migrations();
  CHECK(state::newest_version(migrations) == kNow);
  for (std::size_t i = 0; i < migrations.size(); ++i) {
    CHECK(migrations[i].version == static_cast<int>(i) + 1);
  }
  const test::TempFolder temp;
  add_run(temp.path());
  state::Db db(temp.path() / "state.db", {});
  std::set<std::string> tables;
  state::Statement rows =
      db.prepare("SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 1");
  while (rows.step()) tables.insert(rows.text(0));
  CHECK(tables == std::set<std::string>{"meta", "definition", "blob", "definition_blob", "run",
                                        "journal", "outbox", "decision", "artifact", "used_once",
                                        "trust", "acceptance", "tombstone"});
  CHECK(db.query_text("PRAGMA journal_mode") == "wal");
  CHECK(db.query_integer("PRAGMA synchronous") == 2);
  CHECK(db.query_integer("PRAGMA foreign_keys") == 1);
  CHECK(db.query_integer("PRAGMA trusted_schema") == 0);
  CHECK(db.query_integer("PRAGMA application_id") == state::kApplicationId);
  CHECK(db.query_integer("SELECT count(*) FROM run WHERE mac IS NULL OR chain_head IS NULL") == 0);
  CHECK(db.query_integer("SELECT count(*) FROM journal WHERE chain IS NULL") == 0);
}

TEST_CASE("migrations: an upgrade keeps everything and leaves a verified backup beside the file") {
  const test::TempFolder temp;
  add_run(temp.path());
  const auto migrations = with(kSecond, kThird);
  {
    state::StoreFile file(temp.path(), {.busy_ms = 1000}, migrations);
    state::SqliteRunStore runs(file);
    CHECK(runs.load(run_id(1)) == test::first_of(run_id(1)).next);
    CHECK(file.for_writing().query_text("SELECT x FROM later") == "y");
  }
  CHECK(version_of(temp.path() / "state.db") == kNow + 2);
  CHECK(names_in(temp.path()) ==
        std::set<std::string>{"seal-anchor", "seal-keys", "state.db", kBackup});
  CHECK(version_of(temp.path() / kBackup) == kNow);
  CHECK(state::inspect(temp.path()).backups == std::vector<std::string>{kBackup});
  struct stat status{};
  REQUIRE(::stat((temp.path() / kBackup).c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);

  // The backup in the database's place is the state before the upgrade; this program reads it.
  fs::rename(temp.path() / kBackup, temp.path() / "state.db");
  CHECK(state::open_store(temp.path())->runs().load(run_id(1)).has_value());

  // Migrated again: the second backup does not replace one that is already there.
  temp.write(kBackup, "precious");
  static_cast<void>(state::StoreFile(temp.path(), {.busy_ms = 1000}, migrations).for_reading());
  CHECK(test::read_file(temp.path() / kBackup) == "precious");
  CHECK(version_of(temp.path() / (kBackup + ".2")) == kNow);
}

TEST_CASE("migrations: a step that fails changes nothing of its own and can be repeated") {
  const test::TempFolder temp;
  add_run(temp.path());
  const auto broken =
      with(kSecond, "CREATE TABLE later (x TEXT) STRICT; INSERT INTO nowhere VALUES (1)");
  CHECK(test::failure_code([&] {
          static_cast<void>(state::StoreFile(temp.path(), {.busy_ms = 1000}, broken).for_reading());
        }) == "damaged");
  CHECK(version_of(temp.path() / "state.db") == kNow + 1);
  const auto good = with(kSecond, kThird);
  state::StoreFile file(temp.path(), {.busy_ms = 1000}, good);
  CHECK(file.for_writing().query_integer("SELECT count(*) FROM later") == 1);
  CHECK(version_of(temp.path() / kBackup) == kNow);
  CHECK(version_of(temp.path() / (kBackup + ".2")) == kNow + 1);
}

TEST_CASE("migrations: a version that was set back by hand is refused, and nothing is changed") {
  const test::TempFolder temp;
  add_run(temp.path());
  for (int version = 0; version < kNow; ++version) {
    CAPTURE(version);
    const std::string pragma = "PRAGMA user_version=";
    state::Db(temp.path() / "state.db", {}).execute(pragma + std::to_string(version));
    CHECK(test::failure_code([&] {
            static_cast<void>(state::open_store(temp.path())->runs().load(test::run_id(1)));
          }) == "damaged");
    CHECK(version_of(temp.path() / "state.db") == version);
    CHECK(state::list_backups(temp.path()).empty());
    state::Db(temp.path() / "state.db", {}).execute(pragma + std::to_string(kNow));
    CHECK(state::open_store(temp.path())->runs().load(test::run_id(1)).has_value());
  }
}

TEST_CASE("migrations: without room for a backup nothing is migrated") {
  const test::TempFolder temp;
  add_run(temp.path());
  for (int i = 1; i <= 100; ++i) {
    temp.write(kBackup + (i == 1 ? "" : "." + std::to_string(i)), "x");
  }
  const auto migrations = with(kSecond, kThird);
  state::StoreFile file(temp.path(), {.busy_ms = 1000}, migrations);
  CHECK(failure_code([&] { static_cast<void>(file.for_reading()); }) == "io_error");
  CHECK(version_of(temp.path() / "state.db") == kNow);
  CHECK(state::open_store(temp.path())->runs().load(run_id(1)).has_value());
}

TEST_CASE("migrations: processes that migrate at once do it once, while others write") {
  for (int round = 0; round < 5; ++round) {
    CAPTURE(round);
    const test::TempFolder temp;
    add_run(temp.path());
    const auto migrations = with(kSecond, kThird);
    std::vector<int> children;
    children.reserve(16);
    for (int process = 0; process < 6; ++process) {
      children.push_back(test::start_child([&] {
        state::StoreFile file(temp.path(), {.busy_ms = 20'000}, migrations);
        state::SqliteRunStore runs(file);
        const auto done = runs.transact(
            run_id(1), [](const gating::RunState& run) { return test::step_of(run, "{}"); });
        return done.has_value() &&
               file.for_writing().query_integer("SELECT count(*) FROM later") == 1;
      }));
    }
    for (const int child : children) CHECK(test::wait_for_child(child) == 0);
    CHECK(version_of(temp.path() / "state.db") == kNow + 2);
    state::StoreFile file(temp.path(), {.busy_ms = 1000}, migrations);
    CHECK(state::SqliteRunStore(file).load(run_id(1))->version == 7);
    CHECK(version_of(temp.path() / kBackup) == kNow);
    for (const std::string& name : names_in(temp.path())) {
      CHECK(name.find(".new-") == std::string::npos);
    }
  }
}

TEST_CASE("migrations: a database of version 1 opens, keeps everything and goes on") {
  const test::TempFolder temp;
  const std::string id = "4fb587ff-c0fa-4696-b6a2-a79a1cdbe6b1";
  {
    state::Db db(temp.path() / "state.db", {.mode = state::DbOptions::Mode::create});
    db.execute(test::read_file(test::fixture("state") / "version-1.sql"));
    db.use_write_ahead_log();
  }
  REQUIRE(version_of(temp.path() / "state.db") == 1);

  const auto store = state::open_store(temp.path());
  const auto run = store->runs().load(id);
  REQUIRE(run.has_value());
  CHECK(run->current_phase == "2");
  CHECK(run->accepted.size() == 1);
  CHECK(store->runs().artifacts(id).size() == 1);
  const auto journal = store->runs().journal(id, 0, 100);
  CHECK(journal.size() == 4);
  const auto definition = store->runs().definition(run->definition_hash);
  REQUIRE(definition.has_value());
  CHECK(definition->model.find("bakery") != std::string::npos);

  const auto done = store->runs().transact_once(
      id, {"token", 1'900'000'000'000}, {1'800'000'000'000},
      [](const gating::RunState& before) { return test::step_of(before, "{}"); });
  CHECK(done.transition.has_value());
  CHECK(store->runs().journal(id, 0, 100).size() == journal.size() + 1);

  CHECK(version_of(temp.path() / "state.db") == kNow);
  CHECK(version_of(temp.path() / ("state.db.before-v" + std::to_string(kNow))) == 1);
  CHECK(state::inspect(temp.path(), {.thorough = true}).damaged.empty());
}
