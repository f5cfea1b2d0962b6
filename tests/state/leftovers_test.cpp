#include <chrono>
#include <csignal>
#include <filesystem>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "state/files.h"
#include "state/state.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

// Unfinished files: of whom are they, and when are they cleared away.

using namespace phasegate;
namespace fs = std::filesystem;

namespace {

void make_old(const fs::path& file) {
  const timespec old{1'700'000'000, 0};
  const timespec times[2] = {old, old};
  REQUIRE(::utimensat(AT_FDCWD, file.c_str(), times, AT_SYMLINK_NOFOLLOW) == 0);
}

}  // namespace

TEST_CASE("leftovers: removed only if old, regular and held by nobody") {
  const test::TempFolder temp;
  const fs::path old = temp.write("state.db.new-a", "half");
  temp.write("state.db.new-a-wal", "log");
  temp.write("state.db.new-a-journal", "journal");
  const fs::path fresh = temp.write("state.db.new-b", "half");
  const fs::path other = temp.write("other.db.new-c", "half");
  const fs::path plain = temp.write("state.db", "whole");
  const fs::path held = temp.write("state.db.new-d", "half");
  const fs::path link = temp.path() / "state.db.new-e";
  fs::create_symlink(plain, link);
  const fs::path folder = temp.path() / "state.db.new-f";
  fs::create_directory(folder);
  for (const fs::path& file : {old, other, plain, held, link, folder}) make_old(file);
  // Somebody else is still at it.
  test::Signal ready;
  test::HeldChild child([&] {
    const state::UnfinishedFile mine(temp.path() / "state.db");
    fs::rename(mine.path(), held);
    make_old(held);
    if (!ready.give()) return false;
    ::pause();
    return true;
  });
  ready.only_await();
  REQUIRE(ready.await());

  CHECK(state::remove_leftovers(temp.path(), "state.db") == 1);
  CHECK_FALSE(fs::exists(old));
  CHECK_FALSE(fs::exists(temp.path() / "state.db.new-a-wal"));
  CHECK_FALSE(fs::exists(temp.path() / "state.db.new-a-journal"));
  for (const fs::path& file : {fresh, other, plain, held, folder}) CHECK(fs::exists(file));
  CHECK(fs::is_symlink(link));

  // Killed, it holds nothing any more.
  child.kill();
  CHECK(child.wait() == 128 + SIGKILL);
  CHECK(state::remove_leftovers(temp.path(), "state.db") == 1);
  CHECK_FALSE(fs::exists(held));
}

TEST_CASE("leftovers: a second name of the database goes, the database stays") {
  const test::TempFolder temp;
  test::add_run(temp.path());
  const fs::path left = temp.path() / "state.db.new-a";
  fs::create_hard_link(temp.path() / "state.db", left);
  make_old(left);
  const auto store = state::open_store(temp.path());
  CHECK(store->runs().load(test::run_id(1)).has_value());
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(temp.path() / "state.db"));
}

TEST_CASE("leftovers: an unfinished file is private and goes with its object, a name stays") {
  const test::TempFolder temp;
  const fs::path wanted = temp.path() / "x.db";
  fs::path path;
  {
    state::UnfinishedFile file(wanted);
    path = file.path();
    file.append("some ");
    file.append("bytes");
    file.sync();
    struct stat status{};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 07777U) == 0600U);
    CHECK(state::give_name(path, wanted));
    CHECK_FALSE(state::give_name(path, wanted));
  }
  CHECK_FALSE(fs::exists(path));
  CHECK(test::read_file(wanted) == "some bytes");
}
