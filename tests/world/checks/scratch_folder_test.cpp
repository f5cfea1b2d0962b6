#include "world/checks/scratch_folder.h"

#include <filesystem>

#include <doctest/doctest.h>

#include "tests/support/files.h"

namespace phasegate::world::checks {
namespace {

namespace fs = std::filesystem;

TEST_CASE("scratch folder: private, also what it makes above itself, and gone afterwards") {
  const test::TempFolder folder;
  const fs::path state = folder.path() / "state" / "project";
  fs::path used;
  {
    const auto scratch = ScratchFolder::make(state / "scratch");
    REQUIRE(scratch.ok());
    for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
      CAPTURE(entry.path().string());
      CHECK(entry.status().permissions() == fs::perms::owner_all);
      used = entry.path();
    }
  }
  CHECK(fs::exists(state / "scratch"));
  CHECK_FALSE(fs::exists(used));
}

TEST_CASE("scratch folder: one that cannot be made is an error that says what to do") {
  const test::TempFolder folder;
  test::write_file(folder.path() / "file", "x");
  const auto scratch = ScratchFolder::make(folder.path() / "file" / "scratch");
  REQUIRE_FALSE(scratch.ok());
  CHECK(scratch.error().code == "scratch_failed");
  CHECK_FALSE(scratch.error().hint.empty());
}

}  // namespace
}  // namespace phasegate::world::checks
