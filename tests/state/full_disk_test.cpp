#include <csignal>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "state/state.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;
using gating::RunState;
using test::a_definition;
using test::add_run;
using test::failure_code;
using test::first_of;
using test::run_id;
using test::step_of;

namespace {}  // namespace

TEST_CASE("store: a full disk is said clearly, loses nothing, and is got over") {
  const test::TempFolder temp;
  const auto fill = [](state::Store& store) {
    return failure_code([&] {
      for (int i = 0; i < 2000; ++i) {
        store.runs().transact(run_id(1), [](const RunState& run) {
          return step_of(run, '"' + std::string(50'000, 'x') + '"');
        });
      }
    });
  };
  const auto is_whole = [](state::Store& store) {
    const auto run = store.runs().load(run_id(1));
    REQUIRE(run.has_value());
    CHECK(run->version ==
          static_cast<std::int64_t>(store.runs().journal(run_id(1), 0, 100'000).size()));
    return run->version;
  };
  SUBCASE("at a bound of ours") {
    const auto store = state::open_store(temp.path(), {.pages_max = 200});
    store->runs().create_run(a_definition(), first_of(run_id(1)), false);
    CHECK(fill(*store) == "disk_full");
    const auto version = is_whole(*store);
    CHECK(version > 2);
    const auto roomy = state::open_store(temp.path());
    roomy->runs().transact(run_id(1), [](const RunState& run) { return step_of(run, "{}"); });
    CHECK(is_whole(*store) == version + 1);
  }
  SUBCASE("on a file system of 1 MB") {
    if (::mount("none", temp.path().c_str(), "tmpfs", 0, "size=1m") != 0) {
      MESSAGE("skipped: no right to mount");
      return;
    }
    {
      const auto store = state::open_store(temp.path() / "state");
      store->runs().create_run(a_definition(), first_of(run_id(1)), false);
      const std::string code = fill(*store);
      CHECK(code == "disk_full");
      const auto version = is_whole(*store);
      CHECK(version > 2);
      // More room, the same process: it goes on.
      CHECK(::mount("none", temp.path().c_str(), "tmpfs", MS_REMOUNT, "size=8m") == 0);
      store->runs().transact(run_id(1), [](const RunState& run) { return step_of(run, "{}"); });
      CHECK(is_whole(*store) == version + 1);
    }
    CHECK(::umount(temp.path().c_str()) == 0);
  }
}

TEST_CASE("store: a disk that is full before there is a database leaves nothing half") {
  const test::TempFolder temp;
  if (::mount("none", temp.path().c_str(), "tmpfs", 0, "size=32k") != 0) {
    MESSAGE("skipped: no right to mount");
    return;
  }
  CHECK(failure_code([&] { add_run(temp.path() / "state"); }) == "disk_full");
  for (const auto& entry : fs::directory_iterator(temp.path() / "state")) {
    // A key is made whole or not at all, and serves the database that comes later.
    CHECK(entry.path().filename() == "seal-keys");
  }
  CHECK(::mount("none", temp.path().c_str(), "tmpfs", MS_REMOUNT, "size=4m") == 0);
  CHECK(failure_code([&] { add_run(temp.path() / "state"); }).empty());
  CHECK(::umount(temp.path().c_str()) == 0);
}

TEST_CASE("store: a write that the disk refuses is said clearly and got over") {
  const test::TempFolder temp;
  add_run(temp.path());
  // In a child: the limit holds for the whole process.
  const int child = test::start_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    const rlim_t before = limit.rlim_cur;
    const auto store = state::open_store(temp.path());
    store->runs().transact(run_id(1), [](const RunState& run) { return step_of(run, "{}"); });
    limit.rlim_cur = 64'000;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string code = failure_code([&] {
      store->runs().transact(run_id(1), [](const RunState& run) {
        return step_of(run, '"' + std::string(300'000, 'x') + '"');
      });
    });
    limit.rlim_cur = before;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto run = store->runs().load(run_id(1));
    if (!run || run->version != 2) return false;
    store->runs().transact(run_id(1), [](const RunState& state) { return step_of(state, "{}"); });
    return code == "io_error" || code == "disk_full";
  });
  CHECK(test::wait_for_child(child) == 0);
  CHECK(state::open_store(temp.path())->runs().load(run_id(1))->version == 3);
}
