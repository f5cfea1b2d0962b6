#include "world/project.h"

#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kCommit = "0123456789abcdef0123456789abcdef01234567\n";

/// A repository as git lays it out, as far as it matters.
void make_repository(const test::TempFolder& temp, const std::string& folder,
                     std::string_view head = "ref: refs/heads/main\n") {
  temp.write(folder + "/HEAD", head);
  fs::create_directories(temp.path() / folder / "objects");
  fs::create_directories(temp.path() / folder / "refs" / "heads");
}

/// A worktree of the repository in `git`, at `folder`.
void add_worktree(const test::TempFolder& temp, const std::string& git, const std::string& folder,
                  const std::string& branch) {
  const fs::path own = temp.path() / git / "worktrees" / branch;
  temp.write(git + "/worktrees/" + branch + "/HEAD", "ref: refs/heads/" + branch + "\n");
  temp.write(git + "/worktrees/" + branch + "/commondir", "../..\n");
  temp.write(folder + "/.git", "gitdir: " + own.string() + "\n");
}

world::Project project_at(const fs::path& folder) {
  auto project = world::find_project(folder);
  REQUIRE(project.ok());
  return *std::move(project);
}

}  // namespace

TEST_CASE("project: a repository, from its root and from below") {
  const test::TempFolder temp;
  make_repository(temp, "proj/.git");
  temp.write("proj/src/deep/a.cpp", "");
  const fs::path canonical = fs::canonical(temp.path());
  for (const char* folder : {"proj", "proj/src/deep", "proj/../proj/src"}) {
    CAPTURE(folder);
    const auto project = project_at(temp.path() / folder);
    CHECK(project.root == fs::canonical(temp.path() / folder));
    CHECK(project.key_path == canonical / "proj" / ".git");
    CHECK(project.worktree == canonical / "proj");
    CHECK(project.branch == "main");
    CHECK(project.name == "proj");
    CHECK(project.findings.empty());
  }
}

TEST_CASE("project: worktrees share key and name, and have their own branch") {
  const test::TempFolder temp;
  make_repository(temp, "proj/.git");
  add_worktree(temp, "proj/.git", "elsewhere/wt", "topic");
  const auto main = project_at(temp.path() / "proj");
  const auto other = project_at(temp.path() / "elsewhere" / "wt");
  CHECK(other.key_path == main.key_path);
  CHECK(other.name == main.name);
  CHECK(other.branch == "topic");
  CHECK(other.worktree == fs::canonical(temp.path() / "elsewhere" / "wt"));
  CHECK(world::state_folder(main, "/h") == world::state_folder(other, "/h"));

  // Worktrees of a bare repository, which has itself no branch.
  make_repository(temp, "bare.git");
  add_worktree(temp, "bare.git", "elsewhere/bare", "trunk");
  const auto bare = project_at(temp.path() / "bare.git");
  const auto of_bare = project_at(temp.path() / "elsewhere" / "bare");
  CHECK(of_bare.branch == "trunk");
  CHECK(of_bare.key_path == bare.key_path);
  CHECK(world::state_folder(bare, "/h") == world::state_folder(of_bare, "/h"));
  CHECK(bare.name == "bare");
  CHECK(bare.branch.empty());
  CHECK(bare.worktree.empty());
  CHECK(bare.findings.size() == 1);

  // A submodule's .git names a folder relative to itself and shares nothing.
  make_repository(temp, "proj/.git/modules/sub", "ref: refs/heads/sub/branch\n");
  temp.write("proj/sub/.git", "gitdir: ../.git/modules/sub\r\n");
  const auto sub = project_at(temp.path() / "proj" / "sub");
  CHECK(sub.branch == "sub/branch");
  CHECK(sub.name == "sub");
  CHECK(sub.key_path == main.key_path / "modules" / "sub");
}

TEST_CASE("project: the folder's .git may be a link, and HEAD too") {
  const test::TempFolder temp;
  make_repository(temp, "store");
  fs::create_directory(temp.path() / "proj");
  fs::create_directory_symlink("../store", temp.path() / "proj" / ".git");
  fs::create_directory_symlink("proj", temp.path() / "alias");
  const auto project = project_at(temp.path() / "alias");
  CHECK(project.root == fs::canonical(temp.path() / "proj"));
  CHECK(project.key_path == fs::canonical(temp.path() / "store"));
  CHECK(project.branch == "main");

  fs::remove(temp.path() / "store" / "HEAD");
  fs::create_symlink("refs/heads/old", temp.path() / "store" / "HEAD");
  CHECK(project_at(temp.path() / "proj").branch == "old");
}

TEST_CASE("project: what HEAD may hold") {
  struct Case {
    std::string head;
    std::string branch;
    bool finding;
  };
  const std::vector<Case> cases = {
      {"ref: refs/heads/feature/a-b_c\n", "feature/a-b_c", false},
      {"ref:refs/heads/x", "x", false},
      {"ref: refs/heads/\xFFname\n", "\xEF\xBF\xBDname", false},
      {std::string(kCommit), "", false},
      {"ref: refs/remotes/origin/x\n", "", false},
      {"ref: refs/heads/.invalid\n", "", false},
      {"", "", true},
      {"nonsense\n", "", true},
      {"ref: refs/heads/a\nref: refs/heads/b\n", "", true},
      {std::string("ref: refs/heads/a\0b", 19), "", true},
      {std::string(100'000, 'a'), "", true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.head.substr(0, 60));
    const test::TempFolder temp;
    make_repository(temp, "proj/.git", c.head);
    const auto project = project_at(temp.path() / "proj");
    CHECK(project.branch == c.branch);
    CHECK(project.findings.empty() == !c.finding);
    CHECK(project.key_path.filename() == ".git");
  }
}

TEST_CASE("project: a .git that cannot be understood counts as none, with the reason") {
  const test::TempFolder temp;
  const fs::path root = temp.path() / "proj";
  fs::create_directory(root);
  const auto is_refused = [&] {
    const auto project = project_at(root);
    CHECK(project.key_path == fs::canonical(root));
    CHECK(project.worktree.empty());
    CHECK(project.branch.empty());
    REQUIRE(project.findings.size() == 1);
    // People are told what is wrong, not where their folders lie.
    CHECK(project.findings[0].find(temp.path().string()) == std::string::npos);
  };
  SUBCASE("files") {
    for (const std::string& content :
         {std::string(), std::string("gitdir:"), std::string("gitdir: \n"),
          std::string("gitdir: missing"), std::string("gitdir: ."), std::string("gitdir: /"),
          std::string("gitdir: a\nb"), std::string("gitdir: a\0b", 11),
          "gitdir: " + std::string(1'000'000, 'x'), std::string("GITDIR: x"),
          "gitdir: " + std::string(4000, 'x'), std::string(50, '\0')}) {
      CAPTURE(content.substr(0, 40));
      temp.write("proj/.git", content);
      is_refused();
    }
  }
  SUBCASE("an empty folder") {
    fs::create_directory(root / ".git");
    is_refused();
  }
  SUBCASE("a pipe") {
    REQUIRE(::mkfifo((root / ".git").c_str(), 0600) == 0);
    is_refused();
  }
  SUBCASE("links") {
    for (const char* target : {".git", "nowhere", "/dev/zero", "/etc/passwd"}) {
      CAPTURE(target);
      fs::create_symlink(target, root / ".git");
      is_refused();
      fs::remove(root / ".git");
    }
  }
  SUBCASE("a common folder that leads nowhere") {
    make_repository(temp, "proj/.git");
    for (const char* common : {"", "nowhere\n", "HEAD\n", "/\n", "../..\0\n"}) {
      CAPTURE(common);
      temp.write("proj/.git/commondir", common);
      is_refused();
    }
    fs::remove(root / ".git" / "commondir");
    fs::create_directory(root / ".git" / "commondir");
    is_refused();
  }
  SUBCASE("of a worktree whose repository is gone") {
    make_repository(temp, "main/.git");
    add_worktree(temp, "main/.git", "proj", "topic");
    fs::remove_all(temp.path() / "main");
    is_refused();
  }
}

TEST_CASE("project: a repository above that belongs to somebody else does not count") {
  if (::geteuid() != 0) {
    MESSAGE("skipped: only root can give a file away");
    return;
  }
  const test::TempFolder temp;
  make_repository(temp, "up/.git");
  fs::create_directories(temp.path() / "up" / "proj");
  CHECK(project_at(temp.path() / "up" / "proj").branch == "main");
  REQUIRE(::chown((temp.path() / "up" / ".git").c_str(), 12345, 12345) == 0);
  const auto project = project_at(temp.path() / "up" / "proj");
  CHECK(project.key_path == project.root);
  CHECK(project.findings.size() == 1);
  CHECK(project_at(temp.path() / "up").branch == "main");
}

TEST_CASE("project: without git the folder is the project, a missing one is an error") {
  const test::TempFolder temp;
  fs::create_directory(temp.path() / "plain");
  const auto project = project_at(temp.path() / "plain");
  CHECK(project.key_path == project.root);
  CHECK(project.name == "plain");
  CHECK(project.findings.empty());
  CHECK(world::find_project(temp.path() / "none").error().code == "not_found");
  temp.write("file", "x");
  CHECK(world::find_project(temp.path() / "file").error().code == "not_a_folder");
}

TEST_CASE("project: the state folder has a safe name and depends on the key alone") {
  world::Project project;
  project.key_path = "/home/ada/proj/.git";
  struct Case {
    const char* name;
    const char* expected;
  };
  const Case cases[] = {{"proj", "proj"},    {"my proj", "my_proj"},  {"../../etc", "_.._.._etc"},
                        {"a/b\n", "a_b_"},   {".hidden", "_.hidden"}, {"", "_"},
                        {"größe", "gr____e"}};
  const std::string digits = base::sha256_hex("/home/ada/proj/.git").substr(0, 16);
  for (const Case& c : cases) {
    CAPTURE(c.name);
    project.name = c.name;
    CHECK(world::state_folder(project, "/home/ada") ==
          fs::path("/home/ada/.local/state/phasegate") / (std::string(c.expected) + "-" + digits));
  }
  project.name = std::string(500, 'x');
  CHECK(world::state_folder(project, "/h").filename().string().size() == 40 + 1 + 16);
}

TEST_CASE("project: the principal is the operating system's user") {
  CHECK_FALSE(world::principal().empty());
  if (::getuid() == 0) CHECK(world::principal() == "root");
}
