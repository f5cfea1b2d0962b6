#include "world/checks/glob_walk.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "tests/support/files.h"

namespace phasegate::world::checks {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

Globs compiled(const Paths& patterns, Hidden hidden = Hidden::if_named) {
  auto globs = Globs::compile(patterns, hidden);
  if (!globs) FAIL(globs.error().message);
  return std::move(globs).value();
}

TEST_CASE("globs: listing the files of the project, in one order") {
  test::TempFolder folder;
  for (const char* path : {"p/src/b.c", "p/src/a.c", "p/src/x/c.c", "p/src/.hidden.c", "p/.git/a.c",
                           "p/src/.git/a.c", "p/a.c", "p/docs/a.md", "out/o.c"}) {
    folder.write(path, "x");
  }
  const fs::path root = fs::canonical(folder.path() / "p");
  fs::create_symlink("a.c", root / "src" / "inside.c");
  fs::create_symlink(root / "a.c", root / "src" / "absolute.c");
  fs::create_symlink("loop.c", root / "src" / "loop.c");
  fs::create_symlink("nowhere", root / "src" / "dangling.c");
  fs::create_directory_symlink(root / "docs", root / "src" / "linked");
  REQUIRE(::mkfifo((root / "src" / "pipe.c").c_str(), 0600) == 0);
  const auto all = list_matching(root, compiled({"**/*.c"}), Entries::files);
  REQUIRE(all.ok());
  CHECK(*all == Paths{"a.c", "src/a.c", "src/absolute.c", "src/b.c", "src/inside.c", "src/x/c.c"});
  CHECK(*list_matching(root, compiled({"src/x"}), Entries::files) == Paths{"src/x/c.c"});
  CHECK(*list_matching(root, compiled({"src/.hidden.c"}), Entries::files) ==
        Paths{"src/.hidden.c"});
  CHECK(*list_matching(root, compiled({"src/linked/*"}), Entries::files) == Paths{});
  CHECK(*list_matching(root, compiled({"none/**"}), Entries::files) == Paths{});

  // What leads out may hold anything, so that what is counted cannot be said.
  fs::create_symlink(folder.path() / "out" / "o.c", root / "src" / "outside.c");
  fs::create_directory_symlink(folder.path() / "out", root / "src" / "out.c");
  CHECK(list_matching(root, compiled({"src/*.c"}), Entries::files).error().code == "outside_root");
  CHECK(list_matching(root, compiled({"docs/**"}), Entries::files).ok());
  // Files that may not change: another link, or a pipe, is another file.
  const auto guarded = list_matching(root, compiled({"src/*.c", "src/linked"}), Entries::all);
  REQUIRE(guarded.ok());
  CHECK(*guarded == Paths{"src/a.c", "src/absolute.c", "src/b.c", "src/dangling.c", "src/inside.c",
                          "src/linked", "src/loop.c", "src/out.c", "src/outside.c", "src/pipe.c"});
}

TEST_CASE("globs: folders nested without end are not followed to it") {
  test::TempFolder folder;
  fs::path deep = folder.path();
  for (int i = 0; i < 300; ++i) deep /= "d";
  fs::create_directories(deep);
  const fs::path root = fs::canonical(folder.path());
  for (const Entries entries : {Entries::files, Entries::all}) {
    CHECK(list_matching(root, compiled({"**"}), entries).error().code == "too_deep");
    CHECK(list_matching(root, compiled({"**", "!d/"}), entries).ok());
  }
}

TEST_CASE("globs: a listing is bounded by what it looks through, not by what the folder holds") {
  test::TempFolder folder;
  for (int i = 0; i < 30; ++i) folder.write("big/" + std::to_string(i), "");
  folder.write("src/a", "");
  const fs::path root = fs::canonical(folder.path());
  const auto all = list_matching(root, compiled({"**"}), Entries::files, 20);
  REQUIRE_FALSE(all.ok());
  CHECK(all.error().code == "too_many");
  CHECK(list_matching(root, compiled({"**", "!big/"}), Entries::files, 20)->size() == 1);
  CHECK(list_matching(root, compiled({"src"}), Entries::files, 20)->size() == 1);
}

}  // namespace
}  // namespace phasegate::world::checks
