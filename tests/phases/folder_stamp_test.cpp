#include "phases/folder_stamp.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include <doctest/doctest.h>

#include "tests/support/files.h"

using phasegate::base::SystemClock;
using phasegate::base::TimePoint;
using phasegate::phases::Stamp;
using phasegate::test::TempFolder;
namespace fs = std::filesystem;

namespace {

TimePoint after_a_minute() {
  return {SystemClock().now().ms + 60'000};
}

/// What is written later gets another time, even within the same tick of the clock.
void make_old(const fs::path& folder) {
  const auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
  fs::last_write_time(folder, yesterday);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    fs::last_write_time(entry.path(), yesterday);
  }
}

void fill(const TempFolder& folder) {
  folder.write("w/metadata.json", "{}");
  folder.write("w/phases/1/phase.md", "text");
  folder.write("w/.git/HEAD", "ref");
  make_old(folder.path());
}

}  // namespace

TEST_CASE("stamp: a folder in which nothing changes is known again without listing it") {
  const TempFolder folder;
  fill(folder);
  const fs::path path = folder.path() / "w";
  const Stamp stamp = Stamp::of_folder(path, after_a_minute());
  CHECK(stamp.holds());
  CHECK(stamp == Stamp::of_folder(path, after_a_minute()));
  folder.write("beside.md", "of another folder");
  CHECK(stamp.holds());
}

TEST_CASE("stamp: every change below a folder is seen, with and without listing it") {
  struct Change {
    const char* name;
    std::function<void(const fs::path&, const TempFolder&)> make;
  };
  const Change changes[] = {
      {"edited", [](auto&, auto& folder) { folder.write("w/phases/1/phase.md", "TEXT"); }},
      {"added", [](auto&, auto& folder) { folder.write("w/phases/1/task-1-x.md", "x"); }},
      {"folder added", [](auto& path, auto&) { fs::create_directory(path / "phases/2"); }},
      {"renamed", [](auto& path, auto&) { fs::rename(path / "phases/1", path / "phases/2"); }},
      {"removed", [](auto& path, auto&) { fs::remove(path / "metadata.json"); }},
      {"all removed", [](auto& path, auto&) { fs::remove_all(path); }},
      {"replaced by one of the same size and time",
       [](auto& path, auto& folder) {
         folder.write("w/other", "{}");
         fs::last_write_time(path / "other", fs::last_write_time(path / "metadata.json"));
         fs::rename(path / "other", path / "metadata.json");
       }},
      {"permissions",
       [](auto& path, auto&) { fs::permissions(path / "metadata.json", fs::perms::owner_read); }},
  };
  for (const Change& change : changes) {
    CAPTURE(change.name);
    const TempFolder folder;
    fill(folder);
    const fs::path path = folder.path() / "w";
    const Stamp stamp = Stamp::of_folder(path, after_a_minute());
    CHECK(stamp.holds());
    change.make(path, folder);
    CHECK_FALSE(stamp.holds());
    CHECK(stamp != Stamp::of_folder(path, after_a_minute()));
  }
}

TEST_CASE("stamp: a folder that changed just before the look is not relied on") {
  const TimePoint before = SystemClock().now();
  const TempFolder folder;
  folder.write("w/metadata.json", "{}");
  const fs::path path = folder.path() / "w";
  const Stamp stamp = Stamp::of_folder(path, before);
  CHECK_FALSE(stamp.holds());
  CHECK(stamp == Stamp::of_folder(path, after_a_minute()));
}

TEST_CASE("stamp: a file, and what is not there") {
  const TempFolder folder;
  folder.write("w.yaml", "one");
  make_old(folder.path());
  const fs::path path = folder.path() / "w.yaml";
  const Stamp stamp = Stamp::of_file(path);
  CHECK(stamp.holds());
  folder.write("w.yaml", "two");
  CHECK_FALSE(stamp.holds());
  fs::remove(path);
  const Stamp nothing = Stamp::of_file(path);
  CHECK(nothing.holds());
  CHECK(nothing != stamp);
  folder.write("w.yaml", "one");
  CHECK_FALSE(nothing.holds());
}
