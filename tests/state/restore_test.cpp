#include "state/restore.h"

#include <atomic>
#include <filesystem>
#include <set>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "gating/engine/ports.h"
#include "state/db.h"
#include "state/open_runs.h"
#include "state/seal/audit.h"
#include "state/seal/upkeep.h"
#include "state/state.h"
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

void step(state::Store& store, int number = 1) {
  const auto done = store.runs().transact(
      run_id(number), [](const gating::RunState& run) { return test::step_of(run, "{}"); });
  REQUIRE(done.has_value());
}

std::int64_t version_of(state::Store& store, int number = 1) {
  const auto run = store.runs().load(run_id(number));
  return run ? run->version : -1;
}

fs::path copy_of(const fs::path& folder, const fs::path& to) {
  const auto done = state::back_up(folder, to, kNow);
  REQUIRE(done.ok());
  return done->backup.file;
}

std::unique_ptr<state::Restore> prepared(const fs::path& folder, const fs::path& copy) {
  auto restore = state::Restore::prepare(folder, copy);
  REQUIRE(restore.ok());
  return std::move(restore).value();
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

}  // namespace

TEST_CASE("restore: a process that is open goes on with what was put back") {
  const test::TempFolder temp;
  const test::TempFolder safe;
  const auto store = state::open_store(temp.path());
  store->runs().create_run(test::a_definition(), test::first_of(run_id(1)), false);
  const std::int64_t then = version_of(*store);
  const fs::path copy = copy_of(temp.path(), safe.path() / "copy.db");
  for (int i = 0; i < 3; ++i) step(*store);
  // Enough that the database shrinks when the copy is put back.
  for (int i = 2; i <= 60; ++i) {
    store->runs().create_run(test::a_definition(), test::first_of(run_id(i)), false);
  }
  auto restore = prepared(temp.path(), copy);
  const state::RestorePlan& plan = restore->plan();
  CHECK(plan.sessions == 1);
  CHECK(plan.there);
  CHECK(plan.same_database);
  CHECK_FALSE(plan.unreadable.has_value());
  CHECK(plan.sessions_gone == 59);
  CHECK(plan.sessions_set_back == 1);
  CHECK(plan.set_back.size() == state::kSetBackShown);

  const state::Restored done = restore->carry_out("ann", kNow);
  restore.reset();
  REQUIRE(done.before.has_value());
  CHECK(done.before->kind == state::StateBackup::Kind::before_restore);
  CHECK(done.before->file.filename() == "before-restore-20270115T080000123Z.db");
  CHECK_FALSE(state::latest_backup(temp.path()).has_value());
  CHECK(done.set_aside.empty());
  CHECK(version_of(*store) == then);
  CHECK(version_of(*store, 2) == -1);
  step(*store);
  CHECK(version_of(*store) == then + 1);
  CHECK(version_of(*state::open_store(temp.path())) == then + 1);
  // What was there before can be had again.
  static_cast<void>(prepared(temp.path(), done.before->file)->carry_out("ann", kNow));
  CHECK(version_of(*store) == then + 3);
  CHECK(version_of(*store, 60) >= 0);
  CHECK(state::inspect(temp.path(), {.thorough = true}).damaged.empty());
  CHECK(state::inspect(temp.path()).unfinished.empty());
}

TEST_CASE("restore: what others commit meanwhile is in what was there before, or in what is now") {
  const test::TempFolder temp;
  const test::TempFolder safe;
  std::int64_t then = 0;
  {
    const auto store = state::open_store(temp.path());
    store->runs().create_run(test::a_definition(), test::first_of(run_id(1)), false);
    then = version_of(*store);
  }
  const fs::path copy = copy_of(temp.path(), safe.path() / "copy.db");
  std::atomic<int> committed = 0;
  std::jthread others([&](const std::stop_token& stop) {
    const auto store = state::open_store(temp.path());
    while (!stop.stop_requested()) {
      step(*store);
      ++committed;
      committed.notify_all();
    }
  });
  committed.wait(0);
  auto restore = prepared(temp.path(), copy);
  const state::Restored done = restore->carry_out("ann", kNow);
  others.request_stop();
  others.join();
  REQUIRE(done.before.has_value());
  const std::int64_t after = version_of(*state::open_store(temp.path())) - then;
  state::Db before(done.before->file, {.mode = state::DbOptions::Mode::read_only});
  const auto kept = before.query_integer("SELECT version FROM run").value_or(0) - then;
  CHECK(kept + after == committed);
  CHECK(kept > 0);
}

TEST_CASE("restore: into a folder that has nothing but the keys, and of an empty difference") {
  const test::TempFolder temp;
  const test::TempFolder other;
  add_run(temp.path());
  const fs::path copy = copy_of(temp.path(), temp.path() / "copy.db");
  CHECK(prepared(temp.path(), copy)->plan().entries_lost == 0);
  CHECK(names_in(temp.path()) ==
        std::set<std::string>{"state.db", "copy.db", "seal-keys", "seal-anchor"});

  fs::copy_file(temp.path() / "seal-keys", other.path() / "seal-keys");
  {
    const auto restore = prepared(other.path(), copy);
    CHECK_FALSE(restore->plan().there);
    CHECK(restore->plan().sessions == 1);
    const state::Restored done = restore->carry_out("ann", kNow);
    CHECK_FALSE(done.before.has_value());
    CHECK(done.set_aside.empty());
  }
  CHECK(names_in(other.path()) == std::set<std::string>{"state.db", "seal-keys", "seal-anchor"});
  CHECK(state::audit(other.path()).sound());
  const auto store = state::open_store(other.path());
  const std::int64_t then = version_of(*store);
  CHECK(then == version_of(*state::open_store(temp.path())));
  step(*store);
  CHECK(version_of(*store) == then + 1);
}

TEST_CASE("restore: what cannot be used is set aside with its log, and nothing of it is lost") {
  struct Row {
    const char* bytes;
    const char* code;
  };
  for (const Row& row : {Row{"not a database, but somebody's words, long enough for a header .....",
                             "not_a_database"},
                         Row{"SQLite format 3", "damaged"}, Row{"", "damaged"}}) {
    CAPTURE(row.code);
    const test::TempFolder temp;
    const test::TempFolder safe;
    add_run(temp.path());
    const fs::path copy = copy_of(temp.path(), safe.path() / "copy.db");
    temp.write("state.db", row.bytes);
    temp.write("state.db-wal", "an old log");
    const auto unusable = state::why_unusable(temp.path());
    REQUIRE(unusable.has_value());
    CHECK(unusable->code == row.code);
    // Nothing is replaced by whoever only comes to work.
    CHECK(failure_code([&] { add_run(temp.path(), 2); }) != "");
    CHECK(test::read_file(temp.path() / "state.db") == row.bytes);

    const auto restore = prepared(temp.path(), copy);
    REQUIRE(restore->plan().unreadable.has_value());
    const state::Restored done = restore->carry_out("ann", kNow);
    CHECK_FALSE(done.before.has_value());
    CHECK(done.set_aside == std::vector<std::string>{"state.db.set-aside-20270115T080000123Z",
                                                     "state.db.set-aside-20270115T080000123Z-wal"});
    CHECK(test::read_file(temp.path() / "state.db.set-aside-20270115T080000123Z") == row.bytes);
    CHECK(test::read_file(temp.path() / "state.db.set-aside-20270115T080000123Z-wal") ==
          "an old log");
    CHECK(state::open_store(temp.path())->runs().load(run_id(1)).has_value());
  }
}

TEST_CASE("restore: setting aside alone lets the next session begin with an empty state") {
  const test::TempFolder temp;
  CHECK(state::set_aside(temp.path(), kNow).empty());
  temp.write("state.db-wal", "a log without its database");
  REQUIRE(state::why_unusable(temp.path()).has_value());
  CHECK(failure_code([&] { add_run(temp.path()); }) == "damaged");
  CHECK(state::set_aside(temp.path(), kNow) ==
        std::vector<std::string>{"state.db.set-aside-20270115T080000123Z-wal"});
  CHECK_FALSE(state::why_unusable(temp.path()).has_value());
  add_run(temp.path());
  CHECK(state::open_store(temp.path())->runs().load(run_id(1)).has_value());

  // A newer program's state names the version that it needs, and is moved, not removed.
  state::Db(temp.path() / "state.db", {}).execute("PRAGMA user_version=99");
  const auto newer = state::why_unusable(temp.path());
  REQUIRE(newer.has_value());
  CHECK(newer->code == "newer_version");
  CHECK(newer->message.find("99") != std::string::npos);
  CHECK(newer->hint.find("newer phasegate") != std::string::npos);
  CHECK(state::set_aside(temp.path(), kNow) ==
        std::vector<std::string>{"state.db.set-aside-20270115T080000124Z",
                                 "seal-anchor.set-aside-20270115T080000124Z"});
  CHECK(fs::exists(temp.path() / "state.db.set-aside-20270115T080000124Z"));
  CHECK_FALSE(state::why_unusable(temp.path()).has_value());
}

TEST_CASE("restore: a state that is gone is told, and comes back or is given up by a person") {
  const test::TempFolder temp;
  const test::TempFolder safe;
  add_run(temp.path());
  const auto counter = state::audit(temp.path()).anchor;
  REQUIRE(counter.has_value());
  const fs::path copy = copy_of(temp.path(), safe.path() / "copy.db");
  const auto remove = [&] {
    for (const char* suffix : {"", "-wal", "-shm"}) {
      fs::remove(temp.path() / (std::string("state.db") + suffix));
    }
  };
  const auto is_told = [&](const base::Error& error) {
    CHECK(error.code == "damaged");
    CHECK(error.message.find("seal-anchor") != std::string::npos);
    CHECK(error.hint.find("phasegate restore") != std::string::npos);
  };
  remove();
  const auto names = names_in(temp.path());
  is_told(state::audit(temp.path()).problem.value());
  is_told(state::inspect(temp.path()).problem.value());
  is_told(state::why_unusable(temp.path()).value());
  is_told(state::read_open_runs(temp.path()).error());
  CHECK(state::why_unusable(temp.path())->message.find(std::to_string(*counter)) !=
        std::string::npos);
  const auto store = state::open_store(temp.path());
  CHECK(failure_code([&] { static_cast<void>(store->runs().list({})); }) == "damaged");
  CHECK(failure_code([&] { static_cast<void>(store->runs().load(run_id(1))); }) == "damaged");
  CHECK(failure_code([&] { add_run(temp.path(), 2); }) == "damaged");
  CHECK(failure_code([&] { static_cast<void>(state::back_up(temp.path(), std::nullopt, kNow)); }) ==
        "damaged");
  CHECK(names_in(temp.path()) == names);

  const auto restore = prepared(temp.path(), copy);
  CHECK_FALSE(restore->plan().there);
  is_told(restore->plan().unreadable.value());
  CHECK(restore->carry_out("ann", kNow).set_aside.empty());
  CHECK(version_of(*store) >= 1);
  step(*store);
  CHECK(state::audit(temp.path()).sound());
  CHECK(state::audit(temp.path()).anchor > counter);

  remove();
  CHECK(state::set_aside(temp.path(), kNow) ==
        std::vector<std::string>{"seal-anchor.set-aside-20270115T080000123Z"});
  CHECK_FALSE(state::why_unusable(temp.path()).has_value());
  add_run(temp.path(), 2);
  CHECK(state::audit(temp.path()).sound());
}

TEST_CASE("restore: who accepted the state after the copy was made stays known") {
  const test::TempFolder temp;
  const test::TempFolder safe;
  add_run(temp.path());
  static_cast<void>(state::accept_as_it_is(temp.path(), "approver:ada", "first", kNow));
  const fs::path copy = copy_of(temp.path(), safe.path() / "copy.db");
  static_cast<void>(state::accept_as_it_is(temp.path(), "approver:ben", "second", kNow));
  static_cast<void>(state::accept_as_it_is(temp.path(), "approver:cy", "third", kNow));
  const auto who = [&] {
    std::vector<std::string> names;
    for (const auto& one : state::audit(temp.path()).acceptances) {
      CHECK(one.sound);
      names.push_back(one.principal);
    }
    return names;
  };
  using Names = std::vector<std::string>;
  static_cast<void>(prepared(temp.path(), copy)->carry_out("ann", kNow));
  CHECK(who() == Names{"approver:ada", "approver:ben", "approver:cy", "ann"});
  CHECK(state::audit(temp.path()).sound());
  // Again: each once. What was changed by somebody else is not taken along.
  state::Db(temp.path() / "state.db", {})
      .execute("UPDATE acceptance SET principal = 'approver:eve' WHERE number = 2");
  static_cast<void>(prepared(temp.path(), copy)->carry_out("bob", kNow));
  CHECK(who() == Names{"approver:ada", "approver:cy", "ann", "bob"});
  CHECK(state::audit(temp.path()).sound());
}

TEST_CASE("restore: a state whose keys are lost can be set aside, and nothing of it goes") {
  const test::TempFolder temp;
  add_run(temp.path());
  CHECK_FALSE(state::why_unusable(temp.path()).has_value());
  const std::string bytes = test::read_file(temp.path() / "state.db");
  fs::remove(temp.path() / "seal-keys");
  REQUIRE(state::why_unusable(temp.path()).has_value());
  CHECK(state::why_unusable(temp.path())->message.find("seal-keys") != std::string::npos);
  const auto names = state::set_aside(temp.path(), kNow);
  REQUIRE_FALSE(names.empty());
  CHECK(test::read_file(temp.path() / names.front()) == bytes);
  add_run(temp.path(), 2);
  CHECK(state::audit(temp.path()).sound());
}

TEST_CASE("restore: copies that are refused leave everything as it was") {
  const test::TempFolder temp;
  add_run(temp.path());
  const fs::path copy = copy_of(temp.path(), temp.path() / "copy.db");
  const auto before = names_in(temp.path());
  const auto code = [&](const fs::path& file) {
    std::string found;
    const std::string thrown = failure_code([&] {
      const auto restore = state::Restore::prepare(temp.path(), file);
      found = restore ? "accepted" : restore.error().code;
    });
    return thrown.empty() ? found : thrown;
  };
  CHECK(code(temp.path() / "none.db") == "not_found");
  CHECK(code(temp.path() / "state.db") == "not_found");
  CHECK(code(temp.path()) == "not_a_database");
  CHECK(names_in(temp.path()) == before);

  const test::TempFolder other;
  CHECK(code(other.write("words.db", "words, just words, as long as they may be ..............")) ==
        "not_a_database");
  std::string bytes = test::read_file(copy);
  CHECK(code(other.write("short.db", bytes.substr(0, bytes.size() / 2))) == "damaged");
  for (std::size_t i = 4096; i < bytes.size(); ++i) bytes[i] = 'x';
  CHECK(code(other.write("spoilt.db", bytes)) == "damaged");
  fs::copy_file(copy, other.path() / "newer.db");
  state::Db(other.path() / "newer.db", {}).execute("PRAGMA user_version=99");
  CHECK(code(other.path() / "newer.db") == "newer_version");
  fs::copy_file(copy, other.path() / "foreign.db");
  state::Db(other.path() / "foreign.db", {}).execute("PRAGMA application_id=7");
  CHECK(code(other.path() / "foreign.db") == "not_a_database");
  fs::copy_file(copy, other.path() / "changed.db");
  state::Db(other.path() / "changed.db", {})
      .execute("UPDATE meta SET value = replace(value, '1', '2') WHERE key = 'seal_mark'");
  CHECK(code(other.path() / "changed.db") == "damaged");
  CHECK(names_in(temp.path()) == before);
  CHECK(state::open_store(temp.path())->runs().load(run_id(1)).has_value());
}

TEST_CASE("restore: of a copy that other keys have sealed, the keys are named and not the state") {
  const test::TempFolder temp;
  const test::TempFolder other;
  const test::TempFolder safe;
  add_run(temp.path());
  add_run(other.path());
  const fs::path copy = copy_of(other.path(), safe.path() / "theirs.db");
  try {
    static_cast<void>(state::Restore::prepare(temp.path(), copy));
    FAIL("it was taken");
  } catch (const gating::engine::StoreFailure& failure) {
    CHECK(failure.error().code == "damaged");
    CHECK(failure.error().message.find("theirs.db") != std::string::npos);
    CHECK(failure.error().message.find("seal-keys") != std::string::npos);
    CHECK(failure.error().message.find("state.db") == std::string::npos);
  }
  CHECK(state::audit(temp.path()).sound());
}

TEST_CASE("restore: a session in the copy that was changed is named before anybody says yes") {
  const test::TempFolder temp;
  const test::TempFolder safe;
  add_run(temp.path(), 1);
  add_run(temp.path(), 2);
  const fs::path copy = copy_of(temp.path(), safe.path() / "copy.db");
  CHECK(prepared(temp.path(), copy)->plan().damaged.empty());
  state::Db(copy, {}).execute("UPDATE run SET target = 'other' WHERE number = 2");
  const auto restore = prepared(temp.path(), copy);
  REQUIRE_FALSE(restore->plan().damaged.empty());
  CHECK(restore->plan().damaged.front().find(run_id(2)) != std::string::npos);
  static_cast<void>(restore->carry_out("ann", kNow));
  const auto store = state::open_store(temp.path());
  step(*store);
  CHECK(failure_code([&] { static_cast<void>(store->runs().load(run_id(2))); }) == "damaged");
}

TEST_CASE("restore: what comes back counts as newer than what was here, so it is not frozen") {
  const test::TempFolder temp;
  const test::TempFolder safe;
  add_run(temp.path());
  const fs::path copy = copy_of(temp.path(), safe.path() / "copy.db");
  const auto store = state::open_store(temp.path());
  for (int i = 0; i < 5; ++i) step(*store);
  {
    // An older file in its place is.
    const test::TempFolder old;
    for (const char* name : {"seal-keys", "seal-anchor"}) {
      fs::copy_file(temp.path() / name, old.path() / name);
    }
    fs::copy_file(copy, old.path() / "state.db");
    const auto frozen = state::open_store(old.path());
    CHECK(failure_code([&] { step(*frozen); }) == "damaged");
    static_cast<void>(prepared(old.path(), copy)->carry_out("ann", kNow));
    step(*state::open_store(old.path()));
    const state::AuditReport report = state::audit(old.path());
    CHECK(report.sound());
    REQUIRE(report.acceptances.size() == 1);
    CHECK(report.acceptances.front().principal == "ann");
    CHECK(report.acceptances.front().at == kNow);
  }
  static_cast<void>(prepared(temp.path(), copy)->carry_out("ann", kNow));
  step(*store);
  CHECK(state::audit(temp.path()).sound());
  // Neither the keys of another place nor none will do.
  const test::TempFolder other;
  CHECK(failure_code([&] { static_cast<void>(state::Restore::prepare(other.path(), copy)); }) ==
        "damaged");
  // With the keys the state may move there.
  fs::copy_file(temp.path() / "seal-keys", other.path() / "seal-keys");
  static_cast<void>(prepared(other.path(), copy)->carry_out("ann", kNow));
  step(*state::open_store(other.path()));
  CHECK(state::audit(other.path()).sound());
}
