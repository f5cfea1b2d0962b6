#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "state/state.h"
#include "state/store_file.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

// What somebody else does to the files while a store has them open.

using namespace phasegate;
namespace fs = std::filesystem;
using gating::RunState;
using test::a_definition;
using test::failure_code;
using test::first_of;
using test::run_id;
using test::step_of;

namespace {

std::string code_of_load(state::Store& store) {
  return failure_code([&] { static_cast<void>(store.runs().load(run_id(1))); });
}

std::string code_of_step(state::Store& store) {
  return failure_code([&] {
    store.runs().transact(run_id(1), [](const RunState& run) { return step_of(run, "{}"); });
  });
}

void make_run(state::Store& store, int number = 1) {
  store.runs().create_run(a_definition(), first_of(run_id(number)), false);
}

std::int64_t version_in(const fs::path& folder) {
  const auto run = state::open_store(folder)->runs().load(run_id(1));
  return run ? run->version : 0;
}

void change(const fs::path& folder, const std::string& sql) {
  state::Db db(folder / "state.db", {});
  db.execute(sql);
}

struct Harm {
  std::string what;
  std::function<void(const test::TempFolder&)> doing;
};

void remove_files(const test::TempFolder& temp, const std::vector<std::string>& suffixes) {
  for (const std::string& suffix : suffixes) fs::remove(temp.path() / ("state.db" + suffix));
}

/// Waits for another process to make `file`; false if it does not.
bool await_file(const fs::path& file) {
  for (int round = 0; round < 100'000 && !fs::exists(file); ++round) test::spin(20'000);
  return fs::exists(file);
}

/// Puts another file, not the same one with other bytes, in the place of `name`.
void replace_file(const test::TempFolder& temp, const std::string& name, const std::string& text) {
  temp.write("new", text);
  fs::rename(temp.path() / "new", temp.path() / name);
}

}  // namespace

TEST_CASE("in use: a log that was taken away is noticed, what was acknowledged survives SIGKILL") {
  const Harm harms[] = {
      {"log removed", [](const auto& temp) { remove_files(temp, {"-wal"}); }},
      {"index removed", [](const auto& temp) { remove_files(temp, {"-shm"}); }},
      {"both removed", [](const auto& temp) { remove_files(temp, {"-wal", "-shm"}); }},
      {"log replaced by a copy",
       [](const auto& temp) {
         replace_file(temp, "state.db-wal", test::read_file(temp.path() / "state.db-wal"));
       }},
  };
  for (const Harm& harm : harms) {
    for (const bool writes_next : {false, true}) {
      CAPTURE(harm.what);
      CAPTURE(writes_next);
      const test::TempFolder temp;
      const int child = test::start_child([&] {
        const auto store = state::open_store(temp.path());
        make_run(*store);
        const bool stepped = code_of_step(*store).empty();
        harm.doing(temp);
        const std::string code = writes_next ? code_of_step(*store) : code_of_load(*store);
        if (stepped && code == "damaged") ::raise(SIGKILL);
        return false;
      });
      CHECK(test::wait_for_child(child) == 128 + SIGKILL);
      CHECK(version_in(temp.path()) == 2);
      const auto report = state::inspect(temp.path(), {.thorough = true});
      CHECK(report.integrity.empty());
      CHECK(report.damaged.empty());
    }
  }
}

TEST_CASE("in use: after a lost log the same store goes on, and the next process sees everything") {
  const test::TempFolder temp;
  const auto store = state::open_store(temp.path());
  make_run(*store);
  for (int round = 1; round <= 3; ++round) {
    CHECK(code_of_step(*store).empty());
    fs::remove(temp.path() / "state.db-wal");
    try {
      make_run(*store, 2);
      FAIL("a lost log was not noticed");
    } catch (const gating::engine::StoreFailure& failure) {
      CHECK(failure.error().code == "damaged");
      CHECK(failure.error().message.find("state.db-wal") != std::string::npos);
      CHECK(failure.error().hint.find("nothing of this call was written") != std::string::npos);
      CHECK(failure.error().hint.find("is safe") != std::string::npos);
    }
    CHECK(code_of_load(*store).empty());
    CHECK_FALSE(store->runs().load(run_id(2)).has_value());
  }
  CHECK(version_in(temp.path()) == 4);
}

TEST_CASE("in use: a lost log stops every store that used it until all have let go of it") {
  const test::TempFolder temp;
  const auto one = state::open_store(temp.path());
  const auto other = state::open_store(temp.path());
  make_run(*one);
  CHECK(code_of_load(*other).empty());
  fs::remove(temp.path() / "state.db-wal");
  CHECK(code_of_step(*one) == "damaged");
  // The other one's index still speaks of the old log; a new one must not be begun beside it.
  try {
    static_cast<void>(one->runs().load(run_id(1)));
    FAIL("a second log was begun");
  } catch (const gating::engine::StoreFailure& failure) {
    CHECK(failure.error().hint.find("is safe") != std::string::npos);
    CHECK(failure.error().hint.find("restart every phasegate") != std::string::npos);
  }
  CHECK(code_of_step(*other) == "damaged");
  CHECK(code_of_step(*one).empty());
  CHECK(code_of_step(*other).empty());
  CHECK(version_in(temp.path()) == 3);
}

TEST_CASE("in use: a log whose bytes were destroyed is noticed and its loss is said") {
  const Harm harms[] = {
      {"empty", [](const auto& temp) { fs::resize_file(temp.path() / "state.db-wal", 0); }},
      {"cut short",
       [](const auto& temp) {
         fs::resize_file(temp.path() / "state.db-wal",
                         fs::file_size(temp.path() / "state.db-wal") - 1);
       }},
      {"overwritten",
       [](const auto& temp) { temp.write("state.db-wal", std::string(200'000, 'x')); }},
  };
  for (const Harm& harm : harms) {
    CAPTURE(harm.what);
    const test::TempFolder temp;
    const auto store = state::open_store(temp.path());
    make_run(*store);
    harm.doing(temp);
    try {
      static_cast<void>(store->runs().load(run_id(1)));
      FAIL("a destroyed log was not noticed");
    } catch (const gating::engine::StoreFailure& failure) {
      CHECK(failure.error().code == "damaged");
      CHECK(failure.error().hint.find("may be lost") != std::string::npos);
    }
    // The database itself is whole: it is what it was before the log.
    CHECK(state::inspect(temp.path(), {.thorough = true}).integrity.empty());
  }
}

TEST_CASE("in use: a database that was cut short or overwritten is noticed and left as it is") {
  const test::TempFolder older;
  make_run(*state::open_store(older.path()));
  const std::string old_copy = test::read_file(older.path() / "state.db");
  const auto cut_to = [](std::uintmax_t size) {
    return
        [size](const test::TempFolder& temp) { fs::resize_file(temp.path() / "state.db", size); };
  };
  const Harm harms[] = {
      {"empty", cut_to(0)},
      {"within its header", cut_to(50)},
      {"one page", cut_to(4096)},
      {"last page missing",
       [](const auto& temp) {
         fs::resize_file(temp.path() / "state.db", fs::file_size(temp.path() / "state.db") - 4096);
       }},
      {"text", [](const auto& temp) { temp.write("state.db", std::string(500'000, 'x')); }},
      {"an older copy", [&](const auto& temp) { temp.write("state.db", old_copy); }},
  };
  for (const Harm& harm : harms) {
    for (const bool log_is_copied : {false, true}) {
      CAPTURE(harm.what);
      CAPTURE(log_is_copied);
      const test::TempFolder temp;
      {
        const auto filling = state::open_store(temp.path());
        for (int i = 1; i <= 60; ++i) make_run(*filling, i);
      }
      const auto store = state::open_store(temp.path());
      CHECK(code_of_step(*store).empty());
      if (log_is_copied) change(temp.path(), "PRAGMA wal_checkpoint(TRUNCATE)");
      CHECK(code_of_load(*store).empty());
      harm.doing(temp);
      const std::string harmed = test::read_file(temp.path() / "state.db");
      CHECK(code_of_step(*store) == "damaged");
      CHECK(test::read_file(temp.path() / "state.db") == harmed);
    }
  }
}

TEST_CASE("in use: what SQLite itself does to the files is no damage") {
  const test::TempFolder temp;
  const auto store = state::open_store(temp.path());
  const std::string large(300'000, 'e');
  make_run(*store);
  for (int round = 0; round < 4; ++round) {
    CAPTURE(round);
    store->runs().transact(run_id(1),
                           [&](const RunState& run) { return step_of(run, '"' + large + '"'); });
    for (const char* sql : {"PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(RESTART)",
                            "PRAGMA wal_checkpoint(TRUNCATE)"}) {
      CAPTURE(sql);
      CHECK(code_of_step(*store).empty());
      change(temp.path(), sql);
      CHECK(code_of_load(*store).empty());
    }
    // The file shrinks, and the next step makes it grow in the log only.
    change(temp.path(),
           "DELETE FROM journal WHERE 0; CREATE TABLE gap (x);"
           "INSERT INTO gap VALUES (zeroblob(900000)); PRAGMA wal_checkpoint(TRUNCATE)");
    CHECK(code_of_load(*store).empty());
    change(temp.path(), "DROP TABLE gap; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
    CHECK(code_of_load(*store).empty());
    CHECK(code_of_step(*store).empty());
  }
}

TEST_CASE("in use: a log that is lost while a call waits for the lock is noticed") {
  const test::TempFolder temp;
  const fs::path holding = temp.path() / "holding";
  const fs::path waiting = temp.path() / "waiting";
  const int child = test::start_child([&] {
    if (!await_file(holding)) return false;
    const auto store = state::open_store(temp.path());
    if (!code_of_load(*store).empty()) return false;
    temp.write("waiting", "");
    return code_of_step(*store) == "damaged";
  });
  const auto store = state::open_store(temp.path());
  make_run(*store);
  store->runs().transact(run_id(1), [&](const RunState& run) {
    temp.write("holding", "");
    CHECK(await_file(waiting));
    // Long enough for the other one to come as far as the lock.
    test::spin(20'000'000);
    fs::remove(temp.path() / "state.db-wal");
    return step_of(run, "{}");
  });
  CHECK(test::wait_for_child(child) == 0);
  CHECK(code_of_load(*store) == "damaged");
  CHECK(version_in(temp.path()) == 2);
}
