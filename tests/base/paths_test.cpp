#include "base/paths.h"

#include <filesystem>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/files.h"

using namespace phasegate::base;
namespace fs = std::filesystem;

TEST_CASE("paths: relative paths are normalised or refused") {
  struct Case {
    std::string path;
    std::string wanted;  // empty: refused
  };
  const Case cases[] = {
      {"a/b", "a/b"},
      {"./a//b/.", "a/b"},
      {"a/../b", "b"},
      {"a b/ü", "a b/ü"},
      {"", ""},
      {"/etc/x", ""},
      {"..", ""},
      {"a/../..", ""},
      {"a/../../b", ""},
      {".", ""},
      {"a/..", ""},
      {"a\nb", ""},
      {std::string("a\0b", 3), ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.path);
    const auto got = normalised_relative(c.path);
    CHECK(got.ok() == !c.wanted.empty());
    if (got.ok()) CHECK(*got == c.wanted);
    if (!got.ok()) CHECK(got.error().code == "invalid_path");
  }
}

TEST_CASE("paths: files are read only below the root") {
  const phasegate::test::TempFolder outside;
  const phasegate::test::TempFolder root;
  outside.write("secret", "s");
  root.write("a/file", "content");
  root.write("big", std::string(11, 'x'));
  fs::create_symlink(outside.path() / "secret", root.path() / "out");
  fs::create_symlink("a/file", root.path() / "in");
  fs::create_symlink("loop", root.path() / "loop");
  fs::create_directory_symlink(outside.path(), root.path() / "outdir");
  REQUIRE(::mkfifo((root.path() / "pipe").c_str(), 0600) == 0);

  CHECK(*read_file_below(root.path(), "a/file", 10) == "content");
  CHECK(*read_file_below(root.path(), "in", 10) == "content");
  const auto code = [&](const char* path) {
    const auto got = read_file_below(root.path(), path, 10);
    REQUIRE_FALSE(got.ok());
    CHECK(got.error().message.find(root.path().string()) == std::string::npos);
    CHECK(got.error().message.find(outside.path().string()) == std::string::npos);
    return got.error().code;
  };
  CHECK(code("out") == "outside_root");
  CHECK(code("outdir/secret") == "outside_root");
  CHECK(code("loop") == "unreadable");
  CHECK(code("a") == "not_a_file");
  CHECK(code("pipe") == "not_a_file");
  CHECK(code("none") == "not_found");
  CHECK(code("../x") == "invalid_path");
  CHECK(code("big") == "too_large");
}

TEST_CASE("paths: listing is sorted, bounded, and leaves out what leads away") {
  const phasegate::test::TempFolder outside;
  const phasegate::test::TempFolder root;
  outside.write("secret", "s");
  root.write("b", "");
  root.write("a/x y\n", "");
  root.write("a/deep/er/z", "");
  root.write(".git/config", "");
  fs::create_symlink(outside.path() / "secret", root.path() / "out");
  fs::create_directory_symlink(root.path(), root.path() / "a" / "again");
  const auto listed = list_files_below(root.path(), 10, 8);
  REQUIRE(listed.ok());
  CHECK(*listed == std::vector<std::string>{"a/deep/er/z", "a/x y\n", "b"});
  CHECK(list_files_below(root.path(), 10, 2)->size() == 2);
  const auto many = list_files_below(root.path(), 2, 8);
  REQUIRE_FALSE(many.ok());
  CHECK(many.error().code == "too_many");
  CHECK(list_files_below(root.path() / "none", 10, 8).error().code == "not_found");
}
