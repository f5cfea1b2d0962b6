#include "state/seal/under_log.h"

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "state/backups.h"
#include "state/inspect.h"
#include "state/restore.h"
#include "state/seal/open_seal.h"
#include "state/seal/upkeep.h"
#include "state/state.h"
#include "tests/state/seal/seal_support.h"
#include "tests/state/store_support.h"
#include "tests/support/child.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;
using test::findings_of;
using test::go_on;
using test::is_sound;
using test::make_histories;
using test::run_id;
using test::write_code;

namespace {

constexpr base::TimePoint kNow{1'800'000'000'000};

void step(state::Store& store) {
  REQUIRE(
      store.runs()
          .transact(run_id(1), [](const gating::RunState& run) { return test::step_of(run, "{}"); })
          .has_value());
}

/// Steps of a process that is killed after them: its log stays.
void step_and_be_killed(const fs::path& folder, int steps) {
  const int child = test::start_child([&] {
    const auto store = state::open_store(folder, {.busy_ms = 20'000});
    for (int i = 0; i < steps; ++i) step(*store);
    ::_exit(0);
    return true;
  });
  REQUIRE(test::wait_for_child(child) == 0);
}

/// A state whose log was left by a process that was killed, and files that were state.db before.
struct LogLeft {
  LogLeft() {
    make_histories(state.path(), 1, 10);
    fs::copy_file(file, older);
    go_on(state.path());
    fs::copy_file(file, when_it_began);
    step_and_be_killed(state.path(), 3);
    REQUIRE(fs::file_size(file.string() + "-wal") > 0);
  }

  void put_under_log(const fs::path& other) const {
    fs::copy_file(other, place.path() / "new", fs::copy_options::overwrite_existing);
    fs::rename(place.path() / "new", file);
  }

  test::TempFolder state;
  test::TempFolder place;
  fs::path file = state.path() / "state.db";
  fs::path older = place.path() / "older";
  fs::path when_it_began = place.path() / "when-it-began";
};

state::Anchor anchor_of(const fs::path& folder) {
  state::Db db(folder / "state.db", {.mode = state::DbOptions::Mode::read_only});
  state::Seal seal = *state::open_seal(db, folder);
  return state::read_anchor(seal).value();
}

}  // namespace

TEST_CASE("under the log: the file that the log was written for goes on with it") {
  const LogLeft left;
  SUBCASE("as it was left") {}
  SUBCASE("a copy of it from when the log began") {
    left.put_under_log(left.when_it_began);
  }
  SUBCASE("with a part of the log in it already") {
    {
      state::Db db(left.file, {});
      db.execute("PRAGMA wal_checkpoint(PASSIVE)");
      db.leave_files_at_close();
    }
    REQUIRE(fs::file_size(left.file.string() + "-wal") > 0);
  }
  CHECK(is_sound(left.state.path()));
  CHECK(write_code(left.state.path()).empty());
  CHECK(findings_of(left.state.path()) == "");
}

TEST_CASE("under the log: the file goes on with it wherever copying was cut short") {
  const LogLeft left;
  const fs::path log = left.file.string() + "-wal";
  // The same state with all of its log in the file.
  const test::TempFolder whole;
  test::copy_files(left.state.path(), whole.path());
  state::Db(whole.path() / "state.db", {}).empty_log();
  const std::string all = test::read_file(whole.path() / "state.db");
  const std::string began = test::read_file(left.when_it_began);
  const auto goes_on = [&](const std::string& bytes) {
    const test::TempFolder here;
    test::copy_files(left.state.path(), here.path(), {"seal-keys", "seal-anchor", "state.db-wal"});
    test::write_file(here.path() / "state.db", bytes);
    CHECK(write_code(here.path()).empty());
    CHECK(is_sound(here.path()));
  };
  constexpr std::size_t kPage = 4096;
  SUBCASE("after each page") {
    for (std::size_t at = kPage; at < all.size(); at += kPage) {
      CAPTURE(at);
      goes_on(all.substr(0, at) + (at < began.size() ? began.substr(at) : ""));
    }
  }
  SUBCASE("within the page that has the mark, by a power cut") {
    const auto number =
        state::Db(whole.path() / "state.db", {})
            .query_integer("SELECT rootpage FROM sqlite_schema WHERE name = 'meta'");
    const auto page = static_cast<std::size_t>(number.value() - 1) * kPage;
    for (std::size_t at = 512; at < kPage; at += 512) {
      CAPTURE(at);
      std::string bytes = began;
      bytes.replace(page, at, all, page, at);
      goes_on(bytes);
    }
  }
}

TEST_CASE("under the log: an older file, or another one, is never written") {
  const LogLeft left;
  std::string says;
  SUBCASE("older than the log") {
    left.put_under_log(left.older);
    says = "by itself its counter is ";
  }
  SUBCASE("of another state under the same keys") {
    const test::TempFolder other;
    test::copy_files(left.state.path(), other.path(), {"seal-keys"});
    make_histories(other.path(), 2, 20);
    left.put_under_log(other.path() / "state.db");
    says = "by itself it has no counter of this state";
  }
  const fs::path& folder = left.state.path();
  CHECK(write_code(folder) == "damaged");
  CHECK(findings_of(folder).find(says) != std::string::npos);
  const auto report = state::inspect(folder);
  REQUIRE(report.seal_problem.has_value());
  CHECK(report.seal_problem->message.find("state.db-wal") != std::string::npos);
  CHECK(report.seal_problem->hint.find("phasegate restore") != std::string::npos);
  // Whoever has looked has left the two as they were, for the next one to see.
  REQUIRE(fs::file_size(left.file.string() + "-wal") > 0);
  CHECK(write_code(folder) == "damaged");
  static_cast<void>(test::failure_code(
      [&] { static_cast<void>(state::open_store(folder)->runs().load(run_id(1))); }));
  bool doubtful = false;
  const std::string no_copy = test::failure_code([&] {
    const auto copy = state::back_up(folder, std::nullopt, kNow);
    doubtful = copy.ok() && copy->backup.kind == state::StateBackup::Kind::doubtful;
  });
  CHECK((doubtful || no_copy == "damaged"));
  CHECK(write_code(folder) == "damaged");
}

TEST_CASE("under the log: a copy that is put back, or a person's word, ends it") {
  const LogLeft left;
  const fs::path& folder = left.state.path();
  left.put_under_log(left.older);
  REQUIRE(write_code(folder) == "damaged");
  SUBCASE("restored") {
    auto restore = state::Restore::prepare(folder, left.when_it_began);
    REQUIRE(restore.ok());
    CHECK((*restore)->plan().unreadable.has_value());
    const auto done = (*restore)->carry_out("approver:ada", kNow);
    CHECK(done.set_aside.size() == 2);
    CHECK(findings_of(folder) == "");
  }
  SUBCASE("accepted") {
    const auto found = state::to_be_accepted(folder);
    REQUIRE_FALSE(found.mended.empty());
    CHECK(found.mended[0].find("state.db-wal") != std::string::npos);
    static_cast<void>(state::accept_as_it_is(folder, "approver:ada", "seen", kNow));
  }
  CHECK(state::inspect(folder).seal_problem == std::nullopt);
  CHECK(write_code(folder).empty());
  CHECK(write_code(folder).empty());
}

TEST_CASE("under the log: once it was accepted, the next log is held against the file as well") {
  const LogLeft left;
  const fs::path& folder = left.state.path();
  left.put_under_log(left.older);
  static_cast<void>(state::accept_as_it_is(folder, "approver:ada", "seen", kNow));
  step_and_be_killed(folder, 2);
  left.put_under_log(left.when_it_began);
  CHECK(write_code(folder) == "damaged");
}

TEST_CASE("under the log: an older file in the place of an open store's stops its next write") {
  const test::TempFolder temp;
  const test::TempFolder place;
  const fs::path file = temp.path() / "state.db";
  make_histories(temp.path(), 1, 10);
  fs::copy_file(file, place.path() / "older");
  go_on(temp.path());
  const auto store = state::open_store(temp.path());
  step(*store);
  SUBCASE("another file, as `mv` or a synchronised folder does it") {
    fs::rename(place.path() / "older", file);
  }
  SUBCASE("written over it, as `cp` does it") {
    const std::string older = test::read_file(place.path() / "older");
    std::fstream over(file, std::ios::in | std::ios::out | std::ios::binary);
    over.write(older.data(), static_cast<std::streamsize>(older.size()));
  }
  CHECK(test::failure_code([&] {
          store->runs().transact(
              run_id(1), [](const gating::RunState& run) { return test::step_of(run, "{}"); });
        }) == "damaged");
}

TEST_CASE("under the log: what the file holds is raised whenever a log is begun anew") {
  const test::TempFolder temp;
  make_histories(temp.path(), 1, 10);
  const auto store = state::open_store(temp.path());
  step(*store);
  const state::Anchor first = anchor_of(temp.path());
  CHECK(first.held == first.counter - 1);
  CHECK(first.log.value().size() == 16);
  step(*store);
  CHECK(anchor_of(temp.path()) == state::Anchor{first.counter + 1, first.held, first.log});
  {
    state::Db db(temp.path() / "state.db", {});
    db.execute("PRAGMA wal_checkpoint(RESTART)");
  }
  step(*store);
  const state::Anchor anew = anchor_of(temp.path());
  CHECK(anew.held == first.counter + 1);
  CHECK(anew.log != first.log);
}

TEST_CASE("under the log: nothing is claimed of a file where nobody could tell its log") {
  const test::TempFolder temp;
  make_histories(temp.path(), 1, 3);
  state::Db db(temp.path() / "state.db", {});
  state::Seal seal = *state::open_seal(db, temp.path());
  using Name = std::optional<std::string>;
  const Name a = "aaaaaaaaaaaaaaaa";
  const Name b = "bbbbbbbbbbbbbbbb";
  const Name none = "";
  struct Raise {
    Name log;
    std::int64_t held;
  };
  const std::vector<std::vector<Raise>> table = {
      {{a, 0}, {a, 0}, {b, 102}, {b, 102}, {a, 104}},
      {{a, 0}, {std::nullopt, 0}, {b, 0}, {a, 103}},
      {{std::nullopt, 0}, {std::nullopt, 0}, {a, 0}, {none, 103}, {b, 104}},
      {{none, 0}, {a, 101}, {std::nullopt, 101}, {std::nullopt, 101}, {b, 101}},
  };
  for (std::size_t row = 0; row < table.size(); ++row) {
    CAPTURE(row);
    state::renew_anchor(seal, 100, std::nullopt);
    std::int64_t counter = 100;
    for (const Raise& raise : table[row]) {
      ++counter;
      CAPTURE(counter);
      REQUIRE(state::raise_anchor(seal, counter, raise.log, false));
      CHECK(state::read_anchor(seal) == state::Anchor{counter, raise.held, raise.log});
    }
  }
}
