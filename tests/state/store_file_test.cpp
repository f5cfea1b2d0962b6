#include "state/store_file.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "state/restore.h"
#include "state/state.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;
using gating::RunState;
using gating::Transition;
using test::a_definition;
using test::add_run;
using test::failure_code;
using test::first_of;
using test::run_id;
using test::step_of;

namespace {

void overwrite(const fs::path& file, std::size_t at, std::string_view bytes) {
  std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekp(static_cast<std::streamoff>(at));
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  REQUIRE(stream.good());
}

unsigned mode_of(const fs::path& path) {
  struct stat status{};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

/// What reading and writing a store in `folder` fail with; both must fail alike.
std::string code_of_use(const fs::path& folder) {
  const auto store = state::open_store(folder);
  const std::string reading = failure_code([&] { static_cast<void>(store->runs().list({})); });
  const std::string writing =
      failure_code([&] { store->runs().create_run(a_definition(), first_of(run_id(2)), false); });
  CHECK(reading == writing);
  return writing;
}

}  // namespace

TEST_CASE("store: opening and reading leave no trace, the first write makes private files") {
  const test::TempFolder temp;
  const fs::path folder = temp.path() / "a" / "b";
  const auto store = state::open_store(folder);
  CHECK_FALSE(store->runs().load(run_id(1)).has_value());
  CHECK(state::inspect(folder).exists == false);
  CHECK(fs::is_empty(temp.path()));

  const mode_t before = ::umask(0);
  store->runs().create_run(a_definition(), first_of(run_id(1)), false);
  ::umask(before);
  CHECK(mode_of(temp.path() / "a") == 0700);
  CHECK(mode_of(folder) == 0700);
  for (const auto& entry : fs::directory_iterator(folder)) {
    CAPTURE(entry.path().filename().string());
    CHECK(mode_of(entry.path()) == 0600);
  }
  CHECK(mode_of(folder / "state.db") == 0600);
  CHECK(store->runs().load(run_id(1)).has_value());
}

TEST_CASE("store: a folder that cannot be written is refused and nothing is written elsewhere") {
  const test::TempFolder temp;
  SUBCASE("below a regular file") {
    temp.write("file", "x");
    const auto store = state::open_store(temp.path() / "file" / "state");
    CHECK(failure_code([&] {
            store->runs().create_run(a_definition(), first_of(run_id(1)), false);
          }) == "read_only");
    CHECK(failure_code([&] { static_cast<void>(store->runs().list({})); }) == "read_only");
  }
  SUBCASE("the folder itself is a file") {
    temp.write("file", "x");
    CHECK(code_of_use(temp.path() / "file") == "read_only");
  }
}

// A subcase that returns early hides the ones behind it, so what may be skipped stands alone.
TEST_CASE("store: a folder without permission to write is refused") {
  if (::geteuid() == 0) {
    MESSAGE("skipped: permission bits do not bind root");
    return;
  }
  const test::TempFolder temp;
  fs::create_directory(temp.path() / "closed");
  fs::permissions(temp.path() / "closed", fs::perms::owner_read | fs::perms::owner_exec);
  const auto store = state::open_store(temp.path() / "closed" / "state");
  CHECK(failure_code([&] {
          store->runs().create_run(a_definition(), first_of(run_id(1)), false);
        }) == "read_only");
}

TEST_CASE("store: a file system that is mounted read-only is refused") {
  const test::TempFolder temp;
  const fs::path folder = temp.path() / "state";
  add_run(folder);
  if (::mount(folder.c_str(), folder.c_str(), nullptr, MS_BIND, nullptr) != 0 ||
      ::mount(nullptr, folder.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) != 0) {
    MESSAGE("skipped: no right to mount");
    ::umount(folder.c_str());
    return;
  }
  const auto store = state::open_store(folder);
  const std::string reading = failure_code([&] { static_cast<void>(store->runs().list({})); });
  const std::string writing =
      failure_code([&] { store->runs().create_run(a_definition(), first_of(run_id(2)), false); });
  const auto report = state::inspect(folder);
  CHECK(::umount(folder.c_str()) == 0);
  CHECK(reading == "read_only");
  CHECK(writing == "read_only");
  CHECK_FALSE(report.writable);
  CHECK(report.exists);
  CHECK(state::open_store(folder)->runs().list({})->runs.size() == 1);
}

TEST_CASE("store: a foreign file is refused and left as it is") {
  const test::TempFolder temp;
  const fs::path file = temp.path() / "state.db";
  SUBCASE("text") {
    temp.write("state.db", std::string(10'000, 'x'));
    CHECK(code_of_use(temp.path()) == "not_a_database");
  }
  SUBCASE("a few bytes") {
    temp.write("state.db", "hello");
    CHECK(code_of_use(temp.path()) == "not_a_database");
  }
  SUBCASE("another program's SQLite database, also with a log to be recovered") {
    {
      state::Db other(file, {.mode = state::DbOptions::Mode::create});
      other.execute("PRAGMA application_id=42; CREATE TABLE run (id); INSERT INTO run VALUES (1)");
      other.use_write_ahead_log();
    }
    temp.write("state.db-wal", "a log of theirs");
    const std::string before = test::read_file(file);
    CHECK(code_of_use(temp.path()) == "not_a_database");
    CHECK(test::read_file(file) == before);
    CHECK(test::read_file(temp.path() / "state.db-wal") == "a log of theirs");
  }
  SUBCASE("a folder") {
    fs::create_directory(file);
    CHECK(code_of_use(temp.path()) == "not_a_database");
  }
  SUBCASE("a pipe") {
    REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
    CHECK(code_of_use(temp.path()) == "not_a_database");
  }
  SUBCASE("a link, which would bring other approvers to the runs of another folder") {
    const fs::path other = temp.path() / "other";
    add_run(other);
    fs::create_symlink(other / "state.db", file);
    CHECK(code_of_use(temp.path()) == "not_a_database");
    CHECK(state::open_store(other)->runs().list({})->runs.size() == 1);
  }
  CHECK(state::inspect(temp.path()).problem.has_value());
  CHECK(state::inspect(temp.path()).problem->code == "not_a_database");
}

TEST_CASE("store: what is left of a damaged file is reported, never replaced") {
  const test::TempFolder temp;
  const fs::path file = temp.path() / "state.db";
  add_run(temp.path());
  const std::string whole = test::read_file(file);
  REQUIRE(whole.size() > 20'000);
  for (const std::size_t kept : {std::size_t{0}, std::size_t{7}, std::size_t{50}}) {
    CAPTURE(kept);
    fs::resize_file(file, kept);
    CHECK(code_of_use(temp.path()) == "damaged");
    CHECK(fs::file_size(file) == kept);
    temp.write("state.db", whole);
  }
  for (const std::size_t kept :
       {std::size_t{100}, std::size_t{4096}, std::size_t{5000}, whole.size() - 4096}) {
    CAPTURE(kept);
    fs::resize_file(file, kept);
    const std::string code = failure_code(
        [&] { static_cast<void>(state::open_store(temp.path())->runs().load(run_id(1))); });
    CHECK(code == "damaged");
    const auto report = state::inspect(temp.path());
    const bool noticed = report.problem.has_value() || !report.integrity.empty();
    CHECK(noticed);
    CHECK(fs::file_size(file) == kept);
    temp.write("state.db", whole);
  }
  CHECK(state::open_store(temp.path())->runs().load(run_id(1)).has_value());
}

TEST_CASE("store: flipped bytes give damage or the right answer, never a wrong one") {
  const test::TempFolder temp;
  const fs::path file = temp.path() / "state.db";
  const Transition first = first_of(run_id(1));
  add_run(temp.path());
  state::open_store(temp.path())->runs().transact(run_id(1), [](const RunState& run) {
    Transition step = step_of(run, "{}");
    step.artifact = {"1", 1, R"({"text":"evidence"})", "d"};
    return step;
  });
  const auto right_run = state::open_store(temp.path())->runs().load(run_id(1));
  const auto right_artifacts = state::open_store(temp.path())->runs().artifacts(run_id(1));
  const auto definition = a_definition();
  const std::string whole = test::read_file(file);
  std::mt19937 random(7);
  int noticed = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    // The first 100 bytes say what the file is; they have tests of their own.
    const std::size_t at = 100 + random() % (whole.size() - 100);
    const std::string byte(1, static_cast<char>(whole[at] ^ static_cast<char>(1 + random() % 255)));
    overwrite(file, at, byte);
    const auto store = state::open_store(temp.path());
    const std::string code = failure_code([&] {
      const auto run = store->runs().load(run_id(1));
      // A key that no longer matches makes the run unknown, never another one.
      if (run) CHECK(run == right_run);
      const auto artifacts = store->runs().artifacts(run_id(1));
      if (!artifacts.empty()) CHECK(artifacts == right_artifacts);
      const auto model = store->runs().definition(definition.hash);
      if (model) CHECK(model->model == definition.model);
      for (const auto& [hash, bytes] : definition.blobs) {
        const auto blob = store->runs().blob(hash);
        if (blob) CHECK(blob == bytes);
      }
    });
    if (!code.empty()) {
      CHECK(code == "damaged");
      ++noticed;
    }
    static_cast<void>(state::inspect(temp.path(), {.thorough = true}));
    temp.write("state.db", whole);
  }
  CHECK(noticed > 0);
  CHECK(state::open_store(temp.path())->runs().load(run_id(1)) == right_run);
}

TEST_CASE("store: a database of a newer version is refused, naming both versions") {
  const test::TempFolder temp;
  add_run(temp.path());
  const auto open_before = state::open_store(temp.path());
  CHECK(open_before->runs().load(run_id(1)).has_value());
  {
    state::Db db(temp.path() / "state.db", {});
    db.execute("PRAGMA user_version=99");
  }
  CHECK(code_of_use(temp.path()) == "newer_version");
  // A process that had the file open before the newer program migrated it stops as well.
  CHECK(failure_code([&] { static_cast<void>(open_before->runs().load(run_id(1))); }) ==
        "newer_version");
  CHECK(failure_code([&] {
          open_before->runs().transact(run_id(1),
                                       [](const RunState& run) { return step_of(run, "{}"); });
        }) == "newer_version");
  const auto report = state::inspect(temp.path());
  REQUIRE(report.problem.has_value());
  CHECK(report.problem->code == "newer_version");
  CHECK(report.problem->message.find("version 99") != std::string::npos);
  const int known = state::newest_version(state::all_migrations());
  CHECK(report.problem->message.find("up to " + std::to_string(known)) != std::string::npos);
}

TEST_CASE("store: a file that was deleted or replaced is noticed before anything is written") {
  const test::TempFolder temp;
  const fs::path folder = temp.path() / "state";
  const auto store = state::open_store(folder);
  store->runs().create_run(a_definition(), first_of(run_id(1)), false);
  SUBCASE("another database in its place is used from then on") {
    add_run(temp.path() / "other", 2);
    fs::remove(folder / "state.db-wal");
    fs::remove(folder / "state.db-shm");
    fs::rename(temp.path() / "other" / "state.db", folder / "state.db");
    CHECK_FALSE(store->runs().load(run_id(1)).has_value());
    // Its sessions are believed with the keys that sealed them, and not with others.
    CHECK(failure_code([&] { static_cast<void>(store->runs().load(run_id(2))); }) == "damaged");
    fs::rename(temp.path() / "other" / "seal-keys", folder / "seal-keys");
    CHECK(store->runs().load(run_id(2)).has_value());
  }
  SUBCASE("deleted with everything beside it: refused, never made anew by who had it in use") {
    SUBCASE("the folder") {
      fs::remove_all(folder);
    }
    SUBCASE("the files") {
      for (const char* name : {"state.db", "state.db-wal", "state.db-shm"}) {
        fs::remove(folder / name);
      }
    }
    for (int i = 0; i < 2; ++i) {
      CHECK(failure_code([&] { static_cast<void>(store->runs().load(run_id(1))); }) == "damaged");
      CHECK(failure_code([&] {
              store->runs().create_run(a_definition(), first_of(run_id(2)), false);
            }) == "damaged");
    }
    CHECK_FALSE(fs::exists(folder / "state.db"));
    // Where the anchor is left nobody begins with nothing but by a person's word.
    if (fs::exists(folder)) {
      CHECK(failure_code([&] { add_run(folder, 2); }) == "damaged");
      CHECK(state::set_aside(folder, {1'800'000'000'123}).size() == 1);
    }
    // A process that begins now may do so; the old one may go on with that.
    add_run(folder, 2);
    CHECK(state::open_store(folder)->runs().list({})->runs.size() == 1);
    CHECK(store->runs().load(run_id(2)).has_value());
  }
  SUBCASE("its log left behind: refused, because a new database would take it for its own") {
    fs::remove(folder / "state.db");
    REQUIRE(fs::file_size(folder / "state.db-wal") > 0);
    CHECK(failure_code([&] { static_cast<void>(store->runs().list({})); }) == "damaged");
    CHECK(code_of_use(folder) == "damaged");
    CHECK(state::inspect(folder).problem->code == "damaged");
    CHECK_FALSE(fs::exists(folder / "state.db"));
  }
}

TEST_CASE("store: a writer that is too slow for the others makes them say busy, no more") {
  const test::TempFolder temp;
  add_run(temp.path());
  const auto waiting = state::open_store(temp.path(), {.busy_ms = 1});
  const auto writing = state::open_store(temp.path());
  writing->runs().transact(run_id(1), [&](const RunState& run) {
    CHECK(failure_code([&] {
            waiting->runs().create_run(a_definition(), first_of(run_id(2)), false);
          }) == "busy");
    // Reading goes on meanwhile.
    CHECK(waiting->runs().load(run_id(1)) == run);
    return step_of(run, "{}");
  });
  waiting->runs().create_run(a_definition(), first_of(run_id(2)), false);
  CHECK(waiting->runs().list({})->runs.size() == 2);
}

TEST_CASE("store: SIGKILL while a store is being made leaves none or a whole one") {
  std::mt19937 random(11);
  for (int round = 0; round < 25; ++round) {
    CAPTURE(round);
    const test::TempFolder temp;
    const int child = test::start_child([&] {
      add_run(temp.path() / "state");
      return true;
    });
    test::spin(random() % 6'000'000);
    ::kill(child, SIGKILL);
    static_cast<void>(test::wait_for_child(child));
    const auto store = state::open_store(temp.path() / "state");
    const auto page = store->runs().list({});
    REQUIRE(page.ok());
    CHECK(page->runs.size() <= 1);
    store->runs().create_run(a_definition(), first_of(run_id(9)), false);
    CHECK(store->runs().load(run_id(9)).has_value());
  }
}
