#include "world/project_documents.h"

#include <doctest/doctest.h>

#include "base/limits.h"
#include "gating/engine/project_file.h"
#include "tests/support/files.h"

namespace phasegate::world {
namespace {

namespace fs = std::filesystem;

TEST_CASE("project documents: paths below the root, however they are written") {
  test::TempFolder folder;
  folder.write("p/specs/a/tasks.md", "text");
  folder.write("p/tasks.md", "top");
  const fs::path root = fs::canonical(folder.path() / "p");
  fs::create_directory_symlink(root / "specs" / "a", root / "linked");
  ProjectFiles files(root);
  for (const std::string& written :
       {std::string("specs/a"), std::string("specs/a/"), std::string("./specs/../specs/a"),
        std::string("specs/a/tasks.md"), (root / "specs/a").string(),
        "file://" + (root / "specs/a").string()}) {
    CAPTURE(written);
    const auto got = files.read(written, "tasks.md");
    REQUIRE(got.ok());
    CHECK(got->path == "specs/a/tasks.md");
    CHECK(got->text == "text");
  }
  CHECK(files.read("linked", "tasks.md")->text == "text");
  CHECK(files.read(".", "tasks.md")->text == "top");
}

TEST_CASE("project documents: nothing outside the root, and no machine's path in a refusal") {
  test::TempFolder folder;
  folder.write("secret/tasks.md", "secret");
  folder.write("p/dir/tasks.md/x", "a folder of that name");
  folder.write("p/big/tasks.md", std::string(base::limits::kDocumentBytesMax + 1, 'x'));
  const fs::path root = fs::canonical(folder.path() / "p");
  fs::create_directory_symlink(folder.path() / "secret", root / "out");
  fs::create_directory(root / "link");
  fs::create_symlink(folder.path() / "secret" / "tasks.md", root / "link" / "tasks.md");
  ProjectFiles files(root);
  struct Case {
    std::string folder;
    const char* code;
  };
  const Case cases[] = {
      {"..", "invalid_argument"},
      {"../secret", "invalid_argument"},
      {"specs/../../secret", "invalid_argument"},
      {"/etc", "invalid_argument"},
      {"~/x", "invalid_argument"},
      {"a\nb", "invalid_argument"},
      {std::string("a\0b", 3), "invalid_argument"},
      {std::string(base::limits::kTargetBytesMax + 1, 'x'), "invalid_argument"},
      {"out", "outside_root"},
      {"link", "outside_root"},
      {"dir", "not_a_file"},
      {"big", "too_large"},
      {"missing", "not_found"},
      {"https://example.org/x", "not_found"},
      {"", "invalid_argument"},
      {"  ", "invalid_argument"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.folder);
    const auto got = files.read(one.folder, "tasks.md");
    REQUIRE_FALSE(got.ok());
    CHECK(got.error().code == one.code);
    CHECK(base::to_text(got.error()).find(folder.path().string()) == std::string::npos);
  }
}

TEST_CASE("project file: absent is nothing, what is there and cannot be read is an error") {
  using gating::engine::project_file;
  test::TempFolder folder;
  ProjectFiles files(fs::canonical(folder.path()));
  CHECK_FALSE(project_file(nullptr).has_value());
  CHECK_FALSE(project_file(&files).has_value());
  folder.write(".phasegate/project.yaml", "hosts: [a]\n");
  REQUIRE(project_file(&files).has_value());
  CHECK(project_file(&files)->hosts.size() == 1);
  const fs::path file = folder.path() / ".phasegate/project.yaml";
  fs::remove(file);
  fs::create_symlink("nothing", file);
  REQUIRE(project_file(&files).has_value());
  CHECK_FALSE(project_file(&files)->sound());
  fs::remove(file);
  fs::create_directories(file);
  REQUIRE(project_file(&files).has_value());
  CHECK_FALSE(project_file(&files)->sound());
}

TEST_CASE("project file: names that nobody reads are found") {
  test::TempFolder folder;
  CHECK(overlooked_project_files(folder.path()).empty());
  for (const char* name : {"project.yaml", "project.yml", "Project.yaml", "projects.yaml"}) {
    folder.write(std::string(".phasegate/") + name, "");
  }
  CHECK(overlooked_project_files(folder.path()) ==
        std::vector<std::string>{".phasegate/Project.yaml", ".phasegate/project.yml"});
}

}  // namespace
}  // namespace phasegate::world
