#include "state/backups.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "state/store_file.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;
using base::TimePoint;
using test::add_run;
using test::failure_code;
using test::run_id;

namespace {

constexpr TimePoint kNow{1'800'000'000'123};

TimePoint later(std::int64_t ms) {
  return {kNow.ms + ms};
}

unsigned mode_of(const fs::path& file) {
  struct stat status{};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("backups: names hold their time, and nothing else is taken for one") {
  CHECK(state::backup_name(kNow) == "state-20270115T080000123Z.db");
  CHECK(state::time_of_backup_name("state-20270115T080000123Z.db") == kNow);
  for (const char* name :
       {"", "state-.db", "state.db", "state-20270115T080000123Z", "state-20270115T080000123Z.db.x",
        "state-20271315T080000123Z.db", "State-20270115T080000123Z.db",
        "state-20270115T08000012Z.db", "state-2027-01-15T08:00:00Z.db"}) {
    CAPTURE(name);
    CHECK_FALSE(state::time_of_backup_name(name).has_value());
  }
}

TEST_CASE("backups: a copy is whole, private, and the same sessions come out of it") {
  const test::TempFolder temp;
  add_run(temp.path(), 1);
  add_run(temp.path(), 2);
  const auto done = state::back_up(temp.path(), std::nullopt, kNow);
  REQUIRE(done.ok());
  CHECK(done->sessions == 2);
  CHECK(done->cleared.empty());
  CHECK(done->backup.kind == state::StateBackup::Kind::made);
  CHECK(done->backup.file == temp.path() / "backups" / "state-20270115T080000123Z.db");
  CHECK(mode_of(done->backup.file) == 0600U);
  CHECK(mode_of(temp.path() / "backups") == 0700U);
  CHECK(names_in(temp.path() / "backups") ==
        std::vector<std::string>{"state-20270115T080000123Z.db"});

  const test::TempFolder other;
  fs::copy_file(done->backup.file, other.path() / "state.db");
  state::Db copy(other.path() / "state.db", {.application_id = state::kApplicationId});
  CHECK(copy.query_integer("SELECT count(*) FROM run") == 2);
  CHECK(copy.check(true).empty());
}

TEST_CASE("backups: another process goes on writing while the copy is made, and afterwards") {
  const test::TempFolder temp;
  const test::TempFolder copies;
  add_run(temp.path());
  const auto count = [](const fs::path& file) {
    state::Db db(file, {.mode = state::DbOptions::Mode::read_only});
    return db.query_integer("SELECT count(*) FROM journal").value_or(0);
  };
  const fs::path file = temp.path() / "state.db";
  test::HeldChild writer([&]() -> bool {
    const auto store = test::sqlite_in(temp.path())();
    for (;;) {
      store->runs().transact(run_id(1),
                             [](const gating::RunState& run) { return test::step_of(run, "{}"); });
    }
  });
  bool meanwhile = false;
  constexpr int kTries = 200;  // each takes as long as several of its steps
  for (int i = 0; i < kTries && !meanwhile; ++i) {
    const std::int64_t before = count(file);
    const auto done =
        state::back_up(temp.path(), copies.path() / (std::to_string(i) + ".db"), kNow);
    REQUIRE(done.ok());
    const std::int64_t after = count(file);
    const std::int64_t kept = count(done->backup.file);
    CHECK(kept >= before);
    CHECK(kept <= after);
    // Written after the moment that the copy is of, before it was finished.
    meanwhile = before > 1 && kept < after;
  }
  CHECK(meanwhile);
  const std::int64_t then = count(file);
  while (count(file) == then) REQUIRE_FALSE(writer.has_ended());
  writer.kill();
  CHECK(writer.wait() == 128 + SIGKILL);
}

TEST_CASE("backups: the ten newest are kept, what somebody named stays, so do migrations' copies") {
  const test::TempFolder temp;
  add_run(temp.path());
  const fs::path named = temp.path() / "backups" / "precious.db";
  temp.write("state.db.before-v3", "old");
  for (int i = 0; i < 10; ++i) {
    REQUIRE(state::back_up(temp.path(), std::nullopt, later(i * 1000)).ok());
  }
  REQUIRE(state::back_up(temp.path(), named, later(-5)).ok());
  const auto eleventh = state::back_up(temp.path(), std::nullopt, later(10'000));
  REQUIRE(eleventh.ok());
  CHECK(eleventh->cleared == std::vector<std::string>{"state-20270115T080000123Z.db"});
  CHECK(fs::exists(named));
  // The clock was set back: what was made just now stays although it looks like the oldest.
  const auto back = state::back_up(temp.path(), std::nullopt, later(-60'000));
  REQUIRE(back.ok());
  CHECK(fs::exists(back->backup.file));
  const auto list = state::list_backups(temp.path());
  CHECK(list.size() == state::kBackupsKept + 2);
  CHECK(std::count_if(list.begin(), list.end(), [](const state::StateBackup& one) {
          return one.kind == state::StateBackup::Kind::before_upgrade;
        }) == 1);
}

TEST_CASE("backups: what a restore has replaced is counted by itself, and is not the latest") {
  using Kind = state::StateBackup::Kind;
  const test::TempFolder temp;
  add_run(temp.path());
  CHECK_FALSE(state::latest_backup(temp.path()).has_value());
  const auto made = state::back_up(temp.path(), std::nullopt, kNow);
  REQUIRE(made.ok());
  std::vector<std::string> cleared;
  for (int i = 0; i < 12; ++i) {
    const auto done =
        state::back_up(temp.path(), std::nullopt, later(1000 + i), Kind::before_restore);
    REQUIRE(done.ok());
    CHECK(done->backup.kind == Kind::before_restore);
    cleared.insert(cleared.end(), done->cleared.begin(), done->cleared.end());
  }
  CHECK(cleared == std::vector<std::string>{"before-restore-20270115T080001123Z.db",
                                            "before-restore-20270115T080001124Z.db"});
  CHECK(state::list_backups(temp.path()).size() == state::kOthersKept + 1);
  CHECK(state::list_backups(temp.path()).front().kind == Kind::made);
  CHECK(state::list_backups(temp.path()).back().kind == Kind::before_restore);
  CHECK(state::latest_backup(temp.path())->file == made->backup.file);
}

TEST_CASE("backups: several in one millisecond get names of their own") {
  const test::TempFolder temp;
  add_run(temp.path());
  for (int i = 0; i < 3; ++i) REQUIRE(state::back_up(temp.path(), std::nullopt, kNow).ok());
  CHECK(names_in(temp.path() / "backups").size() == 3);
}

TEST_CASE("backups: what is refused, and that nothing is left behind") {
  const test::TempFolder temp;
  CHECK(state::back_up(temp.path() / "none", std::nullopt, kNow).error().code == "not_found");
  CHECK_FALSE(fs::exists(temp.path() / "none"));
  add_run(temp.path());
  const fs::path taken = temp.write("taken.db", "mine");
  CHECK(state::back_up(temp.path(), taken, kNow).error().code == "exists");
  CHECK(test::read_file(taken) == "mine");
  CHECK(state::back_up(temp.path(), temp.path() / "no" / "folder.db", kNow).error().code ==
        "not_found");
  fs::create_symlink(temp.path() / "elsewhere.db", temp.path() / "link.db");
  CHECK(state::back_up(temp.path(), temp.path() / "link.db", kNow).error().code == "exists");
  CHECK_FALSE(fs::exists(temp.path() / "elsewhere.db"));

  const test::TempFolder foreign;
  foreign.write("state.db",
                "this is no database at all, whatever its name may say about it ......");
  CHECK(failure_code([&] {
          static_cast<void>(state::back_up(foreign.path(), std::nullopt, kNow));
        }) == "not_a_database");
  CHECK(names_in(temp.path()) ==
        std::vector<std::string>{"link.db", "seal-anchor", "seal-keys", "state.db", "taken.db"});
}

TEST_CASE("backups: a damaged database gives no copy") {
  const test::TempFolder temp;
  for (int i = 1; i <= 30; ++i) add_run(temp.path(), i);
  std::string bytes = test::read_file(temp.path() / "state.db");
  REQUIRE(bytes.size() > 3U * 4096U);
  for (std::size_t i = 4096; i < bytes.size(); ++i) bytes[i] = 'x';
  test::write_file(temp.path() / "state.db", bytes);
  CHECK(failure_code([&] { static_cast<void>(state::back_up(temp.path(), std::nullopt, kNow)); }) ==
        "damaged");
  CHECK(state::list_backups(temp.path()).empty());
  CHECK(state::inspect(temp.path()).unfinished.empty());
}

TEST_CASE("backup: what does not verify is copied as doubtful, and takes no sound copy's place") {
  using Kind = state::StateBackup::Kind;
  for (const char* change :
       {"UPDATE run SET target = 'other'", "DELETE FROM journal WHERE seq = 1", "keys", "anchor"}) {
    CAPTURE(change);
    const test::TempFolder temp;
    add_run(temp.path());
    const auto good = state::back_up(temp.path(), std::nullopt, later(0));
    REQUIRE(good.ok());
    CHECK(good->doubts.empty());
    const std::string what = change;
    if (what == "keys" || what == "anchor") {
      fs::remove(temp.path() / ("seal-" + what));
    } else {
      state::Db(temp.path() / "state.db", {}).execute("PRAGMA foreign_keys=OFF; " + what);
    }
    for (int i = 1; i <= static_cast<int>(state::kBackupsKept) + 2; ++i) {
      const auto done = state::back_up(temp.path(), std::nullopt, later(i));
      REQUIRE(done.ok());
      CHECK(done->backup.kind == Kind::doubtful);
      CHECK_FALSE(done->doubts.empty());
    }
    REQUIRE(state::latest_backup(temp.path()).has_value());
    CHECK(state::latest_backup(temp.path())->file == good->backup.file);
    CHECK(state::list_backups(temp.path()).size() == state::kOthersKept + 1);
  }
}
