#include <chrono>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/git_project.h"
#include "world/checks/repository.h"

using namespace phasegate;
namespace fs = std::filesystem;
using test::GitProject;
using world::checks::Repository;
using Paths = std::vector<std::string>;

namespace {

Repository opened(const GitProject& project) {
  auto repository = Repository::open({project.root(), project.environment(), project.scratch()});
  REQUIRE_MESSAGE(repository.ok(), base::to_text(repository.error()));
  return std::move(repository).value();
}

base::Result<Paths> differing(const GitProject& project, const std::string& commit) {
  return opened(project).differing(commit, Repository::Ignored::personal_too);
}

fs::path loose_object(const GitProject& project, const std::string& id) {
  return project.root() / ".git/objects" / id.substr(0, 2) / id.substr(2);
}

/// Gives the object the content of another.
void forge_object(const GitProject& project, const std::string& name, const std::string& content) {
  const fs::path to = loose_object(project, project.git({"rev-parse", name}));
  REQUIRE(fs::remove(to));
  fs::copy_file(loose_object(project, project.git({"rev-parse", content})), to);
}

std::string bytes_of(const std::string& id) {
  std::string bytes;
  for (std::size_t i = 0; i < id.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(id.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

void check_mismatch(const base::Error& error) {
  CAPTURE(base::to_text(error));
  CHECK(error.code == "git_mismatch");
  CHECK(error.message.find("not what their ids say") != std::string::npos);
  CHECK(error.hint.find("git fsck") != std::string::npos);
}

}  // namespace

TEST_CASE("repository: an index that was forged hides no change (ARCHITECTURE §5)") {
  const GitProject project;
  const std::string head = project.git({"rev-parse", "HEAD"});
  const std::string before = bytes_of(project.git({"rev-parse", "HEAD:a.txt"}));
  // Staged with the times that it has, then with the id that it had.
  project.write("a.txt", "evil\n");
  fs::last_write_time(project.root() / "a.txt",
                      fs::file_time_type::clock::now() - std::chrono::hours(1));
  project.git({"add", "a.txt"});
  const std::string now = bytes_of(project.git({"rev-parse", ":a.txt"}));
  const fs::path index = project.root() / ".git/index";
  std::string bytes = test::read_file(index);
  const std::size_t at = bytes.find(now);
  REQUIRE(at != std::string::npos);
  test::write_file(index, bytes.replace(at, before.size(), before));
  REQUIRE(project.git({"status", "--short"}).empty());

  CHECK(*differing(project, head) == Paths{"a.txt"});
  CHECK(*opened(project).unclean(Repository::Ignored::personal_too) == Paths{"a.txt"});
}

TEST_CASE("repository: objects that are not what their ids say hide no change") {
  const GitProject project;
  const std::string first = project.git({"rev-parse", "HEAD"});
  project.write("a.txt", "evil\n");
  project.write("src/b.txt", "worse\n");
  const std::string second = project.commit_all();
  SUBCASE("a file") {
    forge_object(project, first + ":a.txt", second + ":a.txt");
    CHECK(*differing(project, first) == Paths{"a.txt", "src/b.txt"});
  }
  SUBCASE("a link") {
    fs::create_symlink("a.txt", project.root() / "link");
    const std::string third = project.commit_all();
    fs::remove(project.root() / "link");
    fs::create_symlink("src/b.txt", project.root() / "link");
    const std::string fourth = project.commit_all();
    CHECK(*differing(project, third) == Paths{"link"});
    forge_object(project, third + ":link", fourth + ":link");
    const auto paths = differing(project, third);
    REQUIRE_FALSE(paths.ok());
    check_mismatch(paths.error());
  }
  SUBCASE("the tree") {
    forge_object(project, first + "^{tree}", second + "^{tree}");
    const auto paths = differing(project, first);
    REQUIRE_FALSE(paths.ok());
    check_mismatch(paths.error());
  }
  SUBCASE("a tree below") {
    forge_object(project, first + ":src", second + ":src");
    const auto paths = differing(project, first);
    REQUIRE_FALSE(paths.ok());
    check_mismatch(paths.error());
  }
  SUBCASE("the commit") {
    forge_object(project, first, second);
    const auto paths = differing(project, first);
    REQUIRE_FALSE(paths.ok());
    check_mismatch(paths.error());
  }
}

TEST_CASE("repository: a commit is checked out as it was, or not at all") {
  const GitProject project;
  project.write("evil.txt", "evil\n");
  project.write("text.bat", "echo\n");
  project.write("line\nbreak", "x\n");
  project.write("crlf.txt", "one\r\ntwo\r\n");
  project.write("ident.c", "// $Id$\n");
  fs::create_symlink("a.txt", project.root() / "link");
  fs::create_symlink("evil.txt", project.root() / "other");
  project.commit_all();
  const std::string wide("\xFF\xFEw\0\n\0", 6);
  // What was committed before there were attributes is not as git would commit it now.
  project.write(".gitattributes",
                "*.bat text eol=crlf\ncrlf.txt text\n*.c ident\n*.rc working-tree-encoding=UTF-16\n"
                "a.txt filter=none\n");
  project.write("wide.rc", wide);
  project.git({"add", ".gitattributes", "wide.rc"});
  project.git({"commit", "--quiet", "--message", "attributes"});
  const std::string head = project.git({"rev-parse", "HEAD"});
  const auto check_out = [&] { return opened(project).check_out(head); };
  {
    const Repository repository = opened(project);
    const auto tree = repository.check_out(head);
    REQUIRE_MESSAGE(tree.ok(), base::to_text(tree.error()));
    CHECK(test::read_file(*tree / "text.bat") == "echo\r\n");
    CHECK(test::read_file(*tree / "crlf.txt") == "one\r\ntwo\r\n");
    CHECK(test::read_file(*tree / "ident.c") != "// $Id$\n");
    CHECK(test::read_file(*tree / "wide.rc").size() == wide.size());
    CHECK(test::read_file(*tree / "line\nbreak") == "x\n");
    CHECK(fs::read_symlink(*tree / "link") == "a.txt");
    CHECK(repository.check_out(head).ok());
  }
  for (const std::string forged : {"a.txt", "text.bat", "crlf.txt", "ident.c", "link",
                                   "line\nbreak", "wide.rc", ".gitattributes"}) {
    CAPTURE(forged);
    const std::string name = head + ":" + forged;
    const bool link = forged == "link";
    const std::string content = head + (link ? ":other" : ":evil.txt");
    const fs::path object = loose_object(project, project.git({"rev-parse", name}));
    const std::string kept = test::read_file(object);
    forge_object(project, name, content);
    const auto tree = check_out();
    CHECK_FALSE(tree.ok());
    if (!tree.ok()) check_mismatch(tree.error());
    fs::remove(object);
    test::write_file(object, kept);
  }
  CHECK(check_out().ok());
}

TEST_CASE("repository: settings that hide changes count as long as they are what they were") {
  const GitProject project;
  const std::string head = project.git({"rev-parse", "HEAD"});
  const std::string before = opened(project).ignore_lists();
  SUBCASE("modes") {
    project.git({"config", "core.fileMode", "false"});
    fs::permissions(project.root() / "a.txt", fs::perms::owner_exec, fs::perm_options::add);
  }
  SUBCASE("line ends") {
    project.git({"config", "core.autocrlf", "Input"});
    project.write("a.txt", "one\r\n");
  }
  const Repository repository = opened(project);
  CHECK(repository.ignore_lists() != before);
  CHECK(repository.differing(head, Repository::Ignored::personal_too)->empty());
  CHECK(*repository.differing(head, Repository::Ignored::gitignore_only) == Paths{"a.txt"});
}

TEST_CASE("repository: a commit without files, and one that was committed without its index") {
  const GitProject project;
  project.git({"rm", "--quiet", "-r", "."});
  const std::string empty = project.commit_all();
  CHECK(differing(project, empty)->empty());
  CHECK(opened(project).check_out(empty).ok());
  project.write("a.txt", "x");
  CHECK(*differing(project, empty) == Paths{"a.txt"});
}
