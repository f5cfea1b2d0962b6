#include "world/target.h"

#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/limits.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;

TEST_CASE("004-38: one target written in several ways is one target") {
  const fs::path root = "/home/ada/my project";
  struct Case {
    std::string text;
    std::string expected;
  };
  const std::vector<Case> cases = {
      {"", ""},
      {"  \n", ""},
      {"src/a.cpp", "src/a.cpp"},
      {"./src//a.cpp", "src/a.cpp"},
      {"src/./b/../a.cpp", "src/a.cpp"},
      {" src/a.cpp\r\n", "src/a.cpp"},
      {"src/dir/", "src/dir"},
      {"a.cpp", "a.cpp"},
      {"./a.cpp", "a.cpp"},
      {".", "."},
      {"./", "."},
      {"a/..", "."},
      {"/home/ada/my project", "."},
      {"/home/ada/my project/", "."},
      {"/home/ada/my project/src/a.cpp", "src/a.cpp"},
      {"/home/ada/my project/../my project/src//a.cpp", "src/a.cpp"},
      {"//home/ada/./my project/src", "src"},
      {"file:///home/ada/my%20project/src/a.cpp", "src/a.cpp"},
      {"file:/home/ada/my%20project/src/a.cpp", "src/a.cpp"},
      {"FILE://LocalHost/home/ada/my%20project/%73rc/a.cpp#L12", "src/a.cpp"},
      {"file:///home/ada/my%20project/src/a.cpp?x=1", "src/a.cpp"},
      {"file:///home/ada/my%20project/%C3%A4", "ä"},
      {"User login", "User login"},
      {"100%", "100%"},
      {"#42", "#42"},
      {"...", "..."},
      {"C++", "C++"},
      {"src\\a.cpp", "src\\a.cpp"},
      {"login and/or signup", "login and/or signup"},
      {"https://example.org/a//b/../c?d#e", "https://example.org/a//b/../c?d#e"},
      {"größe/übung.md", "größe/übung.md"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const auto target = world::normalise_target(root, c.text);
    REQUIRE(target.ok());
    CHECK(*target == c.expected);
    // What came out goes in again unchanged.
    CHECK(*world::normalise_target(root, *target) == *target);
  }
}

TEST_CASE("target: what is not within the project, or not a text, is refused with the next step") {
  const fs::path root = "/home/ada/project";
  const std::vector<std::string> bad = {
      "..",
      "../other/a.cpp",
      "src/../../a.cpp",
      "/etc/passwd",
      "/",
      "/home/ada",
      "/home/ada/project2/a.cpp",
      "/home/ada/project/../other",
      "~/project/a.cpp",
      "file:///etc/passwd",
      "file://server/home/ada/project/a.cpp",
      "file://",
      "file:///home/ada/project/%2e%2e/other",
      "file:///home/ada/project/%",
      "file:///home/ada/project/%4",
      "file:///home/ada/project/%zz",
      "file:///home/ada/project/a%00b",
      "file:///home/ada/project/a%0Ab",
      "file:///home/ada/project/%ff",
      "a\tb",
      "a\nb",
      std::string("a\0b", 3),
      "a\x7F",
      "\xC3(",
      std::string(base::limits::kTargetBytesMax + 1, 'a'),
  };
  for (const std::string& text : bad) {
    CAPTURE(text);
    const auto target = world::normalise_target(root, text);
    REQUIRE_FALSE(target.ok());
    CHECK(target.error().code == "invalid_argument");
    CHECK(target.error().where == "target_file");
    CHECK_FALSE(target.error().hint.empty());
  }
  CHECK(world::normalise_target(root, std::string(base::limits::kTargetBytesMax, 'a')).ok());
}

TEST_CASE("target: an absolute path through a link is the same target") {
  const test::TempFolder temp;
  fs::create_directories(temp.path() / "real" / "src");
  fs::create_directory_symlink("real", temp.path() / "link");
  fs::create_directory_symlink("loop", temp.path() / "loop");
  const fs::path root = fs::canonical(temp.path() / "real");
  CHECK(*world::normalise_target(root, (temp.path() / "link" / "src" / "new.cpp").string()) ==
        "src/new.cpp");
  CHECK_FALSE(world::normalise_target(root, (temp.path() / "loop" / "x").string()).ok());
  CHECK(*world::normalise_target("/", "/etc/x") == "etc/x");
}
