#include "world/checks/repository.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "tests/support/git_project.h"

using namespace phasegate;
namespace fs = std::filesystem;
using test::GitProject;
using world::checks::Place;
using world::checks::Repository;
using Paths = std::vector<std::string>;

namespace {

Place place_of(const GitProject& project, const fs::path& root = {}) {
  return {root.empty() ? project.root() : root, project.environment(), project.scratch()};
}

Repository opened(const GitProject& project, const fs::path& root = {}) {
  auto repository = Repository::open(place_of(project, root));
  REQUIRE_MESSAGE(repository.ok(), base::to_text(repository.error()));
  return std::move(repository).value();
}

Paths differing(const GitProject& project, const fs::path& root = {}) {
  const Repository repository = opened(project, root);
  const auto paths =
      repository.differing(project.git({"rev-parse", "HEAD"}), Repository::Ignored::personal_too);
  REQUIRE_MESSAGE(paths.ok(), base::to_text(paths.error()));
  return *paths;
}

std::string code_of_open(const Place& place) {
  const auto repository = Repository::open(place);
  if (repository) return "";
  CHECK(base::to_text(repository.error()).find(place.root.string()) == std::string::npos);
  return repository.error().code;
}

}  // namespace

TEST_CASE("repository: what differs from a commit (ARCHITECTURE §5)") {
  const GitProject project;
  CHECK(differing(project).empty());
  CHECK(opened(project).unclean(Repository::Ignored::personal_too)->empty());

  project.write("ignored/x", "x");
  CHECK(differing(project).empty());
  project.write("a.txt", "one\n");  // written again, and the same
  CHECK(differing(project).empty());

  project.write("src/b.txt", "changed\n");
  project.write("src/new file.txt", "untracked");
  project.write("staged.txt", "staged");
  project.git({"add", "staged.txt"});
  project.git({"mv", "a.txt", "moved.txt"});
  CHECK(differing(project) ==
        Paths{"a.txt", "moved.txt", "src/b.txt", "src/new file.txt", "staged.txt"});
  CHECK(*opened(project).unclean(Repository::Ignored::personal_too) == differing(project));
}

TEST_CASE("repository: staged and taken back in the working tree only is not clean") {
  const GitProject project;
  project.write("a.txt", "other\n");
  project.git({"add", "a.txt"});
  project.write("a.txt", "one\n");
  CHECK(differing(project) == Paths{"a.txt"});
}

TEST_CASE("repository: any name that a file system allows") {
  const GitProject project;
  const Paths names = {"line\nbreak",
                       "qu\"ote'",
                       "\xC3\xBC"
                       "mlaut",
                       "\xFF\xFE",
                       ":(glob)x",
                       "-rf",
                       "tab\t",
                       "*"};
  for (const std::string& name : names) project.write(name, name);
  Paths sorted = names;
  std::sort(sorted.begin(), sorted.end());
  CHECK(differing(project) == sorted);
  project.commit_all();
  CHECK(differing(project).empty());
}

TEST_CASE("repository: a root below the repository's sees its own part, relative to it") {
  const GitProject project;
  project.write("a.txt", "changed");
  project.write("src/b.txt", "changed");
  project.write("src/deep/new.txt", "new");
  CHECK(differing(project, project.root() / "src") == Paths{"b.txt", "deep/new.txt"});
  CHECK(*opened(project, project.root() / "src").unclean(Repository::Ignored::personal_too) ==
        Paths{"b.txt", "deep/new.txt"});
}

TEST_CASE("repository: files that git was told not to look at count as different") {
  const GitProject project;
  for (const char* mark : {"--assume-unchanged", "--skip-worktree"}) {
    CAPTURE(mark);
    project.git({"update-index", mark, "a.txt"});
    project.write("a.txt", "hidden change");
    CHECK(differing(project) == Paths{"a.txt"});
    CHECK(*opened(project).unclean(Repository::Ignored::personal_too) == Paths{"a.txt"});
    project.write("a.txt", "one\n");
    project.git({"update-index", "--no-assume-unchanged", "--no-skip-worktree", "a.txt"});
  }
}

TEST_CASE("repository: what a sparse checkout leaves out is clean") {
  const GitProject project;
  project.write("other/c.txt", "three");
  project.commit_all();
  project.git({"sparse-checkout", "set", "src"});
  REQUIRE_FALSE(fs::exists(project.root() / "other/c.txt"));
  CHECK(opened(project).unclean(Repository::Ignored::personal_too)->empty());
  CHECK(differing(project) == Paths{"other/c.txt"});
}

TEST_CASE("repository: a repository within is looked through") {
  const GitProject project;
  project.git({"init", "--quiet", "within"});
  project.write("within/src/x", "x");
  project.write("within/y", "y");
  CHECK(differing(project) == Paths{"within/src/x", "within/y"});
}

TEST_CASE(
    "repository: nothing that its configuration names is run, and none of it hides a change") {
  const GitProject project;
  const fs::path trace = project.outside() / "ran";
  const fs::path evil = project.outside() / "evil";
  test::write_file(evil,
                   "#!/bin/sh\necho \"$0 $*\" >> '" + trace.string() + "'\nprintf 'one\\n'\n");
  fs::permissions(evil, fs::perms::owner_all);
  for (const char* key :
       {"core.fsmonitor", "diff.external", "diff.x.command", "diff.x.textconv", "filter.x.clean",
        "filter.x.smudge", "filter.x.process", "core.pager", "core.sshCommand", "pager.diff",
        "core.alternateRefsCommand", "credential.helper", "core.editor", "gpg.program"}) {
    project.git({"config", key, evil.string()});
  }
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"filter.x.required", "true"},
           {"core.hooksPath", project.outside().string()},
           {"core.trustctime", "false"},
           {"core.ignoreCase", "true"},
           {"diff.ignoreSubmodules", "all"},
           {"core.bare", "true"},
           {"extensions.partialClone", "origin"},
           {"remote.origin.promisor", "true"},
           {"remote.origin.url", "ext::" + evil.string()},
           {"diff.relative", "true"},
           {"core.worktree", project.outside().string()},
           {"diff.orderFile", "/nowhere"}}) {
    project.try_git({"config", key, value});
  }
  for (const char* hook :
       {"post-checkout", "post-index-change", "fsmonitor-watchman", "reference-transaction"}) {
    fs::copy_file(evil, project.root() / ".git/hooks" / hook, fs::copy_options::overwrite_existing);
    fs::copy_file(evil, project.outside() / hook, fs::copy_options::overwrite_existing);
  }
  test::write_file(project.root() / ".git/info/attributes", "* filter=x diff=x\n");
  project.write("a.txt", "other\n");
  project.write("A.txt", "another\n");
  fs::remove(trace);

  const Repository repository = opened(project);
  const auto head = repository.head();
  REQUIRE_MESSAGE(head.ok(), base::to_text(head.error()));
  const auto paths = repository.differing(*head, Repository::Ignored::personal_too);
  REQUIRE_MESSAGE(paths.ok(), base::to_text(paths.error()));
  CHECK(*paths == Paths{"A.txt", "a.txt"});
  CHECK(*repository.unclean(Repository::Ignored::personal_too) == *paths);
  CHECK(repository.find_commit(*head)->has_value());
  CHECK(repository.find_commit(std::string(40, 'a'))->has_value() == false);
  CHECK(repository.branch().ok());
  const auto tree = repository.check_out(*head);
  REQUIRE_MESSAGE(tree.ok(), base::to_text(tree.error()));
  CHECK(test::read_file(*tree / "a.txt") == "one\n");
  CHECK_MESSAGE(!fs::exists(trace), test::read_file(trace));
}

TEST_CASE("repository: the system's git is asked, whatever is first in PATH") {
  const GitProject project;
  const fs::path trace = project.outside() / "ran";
  for (const fs::path& folder : {project.outside() / "fake", project.root() / "tools"}) {
    test::write_file(folder / "git", "#!/bin/sh\necho ran > '" + trace.string() + "'\n");
    fs::permissions(folder / "git", fs::perms::owner_all);
  }
  Place place = place_of(project);
  for (const std::string& path :
       {(project.outside() / "fake").string() + ":/usr/bin", (project.root() / "tools").string(),
        std::string("tools:.:"), std::string()}) {
    CAPTURE(path);
    place.environment = {"HOME=" + project.outside().string(), "PATH=" + path};
    auto repository = Repository::open(place);
    REQUIRE_MESSAGE(repository.ok(), base::to_text(repository.error()));
    CHECK(*repository->unclean(Repository::Ignored::personal_too) == Paths{"tools/git"});
    CHECK_FALSE(fs::exists(trace));
  }
}

TEST_CASE("repository: personal ignore lists count, can be left out, and are digested") {
  const GitProject project;
  const std::string before = opened(project).ignore_lists();
  test::write_file(project.outside() / "home/.config/git/ignore", "*.swp\n");
  test::write_file(project.root() / ".git/info/exclude", "private/\n");
  project.write("x.swp", "");
  project.write("private/x", "");
  const Repository repository = opened(project);
  CHECK(repository.ignore_lists() != before);
  CHECK(repository.unclean(Repository::Ignored::personal_too)->empty());
  CHECK(*repository.differing(*repository.head(), Repository::Ignored::gitignore_only) ==
        Paths{"private/x", "x.swp"});
}

TEST_CASE("repository: ids of commits, and nothing else") {
  const GitProject project;
  const std::string commit = project.git({"rev-parse", "HEAD"});
  project.git({"tag", "--annotate", "--message", "t", "v1"});
  project.git({"branch", "abcdef"});
  const Repository repository = opened(project);
  CHECK(*repository.head() == commit);
  CHECK(*repository.branch() == "main");
  for (const std::string& id : {commit, commit.substr(0, 8)}) {
    CAPTURE(id);
    CHECK(**repository.find_commit(id) == commit);
  }
  for (const std::string& id :
       {std::string("--upload-pack=x"), std::string("-"), std::string(), std::string("HEAD"),
        std::string("main"), std::string("v1"), std::string("abcdef"), std::string("abc"),
        commit + "^", commit + "0", std::string(40, '0'), std::string("@{-1}"), commit + "\n",
        std::string(64, 'a'), std::string(1000, 'a'), std::string("a\0b", 3),
        project.git({"rev-parse", "HEAD^{tree}"}), project.git({"rev-parse", "HEAD:a.txt"}),
        project.git({"rev-parse", "v1"})}) {
    CAPTURE(id);
    const auto found = repository.find_commit(id);
    REQUIRE(found.ok());
    CHECK_FALSE(found->has_value());
  }
}

TEST_CASE("repository: each oddity is an error that says what is wrong") {
  const GitProject project;
  SUBCASE("none") {
    fs::create_directories(project.outside() / "plain");
    CHECK(code_of_open(place_of(project, project.outside() / "plain")) == "git_none");
  }
  SUBCASE("bare") {
    project.git({"clone", "--quiet", "--bare", ".", "../bare"});
    CHECK(code_of_open(place_of(project, project.outside() / "bare")) == "git_bare");
  }
  SUBCASE("damaged") {
    fs::remove_all(project.root() / ".git/refs");
    CHECK(code_of_open(place_of(project)) == "damaged_git");
    fs::remove_all(project.root() / ".git");
    project.write(".git", "gitdir: /nowhere\n");
    CHECK(code_of_open(place_of(project)) == "damaged_git");
    project.write(".git", "");
    CHECK(code_of_open(place_of(project)) == "damaged_git");
  }
  SUBCASE("a format that this git does not know") {
    project.git({"config", "core.repositoryformatversion", "1"});
    project.git({"config", "extensions.fromthefuture", "true"});
    CHECK(code_of_open(place_of(project)) == "git_failed");
  }
  SUBCASE("another user's") {
    if (::geteuid() == 0) {
      for (const char* one : {".", ".git"}) {
        REQUIRE(::chown((project.root() / one).c_str(), 12345, 12345) == 0);
      }
      CHECK(code_of_open(place_of(project)) == "git_refused");
    }
  }
  SUBCASE("no commit yet") {
    fs::create_directories(project.outside() / "unborn");
    const fs::path root = fs::canonical(project.outside() / "unborn");
    project.git({"init", "--quiet"}, root);
    CHECK(opened(project, root).head().error().code == "git_unborn");
    CHECK(opened(project, root).unclean(Repository::Ignored::personal_too).error().code ==
          "git_unborn");
  }
  SUBCASE("locked") {
    CHECK(opened(project).settled().ok());
    project.write(".git/index.lock", "");
    CHECK(opened(project).settled().error().code == "git_locked");
  }
  SUBCASE("in the middle of a merge or rebase") {
    project.git({"checkout", "--quiet", "-b", "side"});
    project.write("a.txt", "side\n");
    project.commit_all();
    project.git({"checkout", "--quiet", "main"});
    project.write("a.txt", "main\n");
    project.commit_all();
    CHECK(project.try_git({"merge", "side"}) != 0);
    CHECK(opened(project).settled().error().message.find("a merge") != std::string::npos);
    CHECK(differing(project) == Paths{"a.txt"});
    project.git({"merge", "--abort"});
    CHECK(project.try_git({"rebase", "side"}) != 0);
    CHECK(opened(project).settled().error().message.find("a rebase") != std::string::npos);
    CHECK(opened(project).branch()->empty());
  }
  SUBCASE("shallow") {
    const std::string first = project.git({"rev-parse", "HEAD"});
    project.commit_all();
    project.git(
        {"clone", "--quiet", "--depth=1", "file://" + project.root().string(), "../shallow"});
    const fs::path root = fs::canonical(project.outside() / "shallow");
    const Repository repository = opened(project, root);
    CHECK(repository.shallow());
    CHECK(repository.unclean(Repository::Ignored::personal_too)->empty());
    CHECK_FALSE(repository.find_commit(first)->has_value());
  }
}

TEST_CASE("repository: linked worktrees, split and missing indexes, SHA-256") {
  const GitProject project;
  SUBCASE("a linked worktree") {
    project.git({"worktree", "add", "--quiet", "../linked"});
    const fs::path root = fs::canonical(project.outside() / "linked");
    CHECK(*opened(project, root).branch() == "linked");
    test::write_file(root / "a.txt", "changed");
    CHECK(differing(project, root) == Paths{"a.txt"});
    CHECK(differing(project).empty());
  }
  SUBCASE("an index in two files") {
    project.git({"update-index", "--split-index"});
    project.write("a.txt", "changed");
    CHECK(differing(project) == Paths{"a.txt"});
  }
  SUBCASE("no index") {
    fs::remove(project.root() / ".git/index");
    CHECK(differing(project) == Paths{".gitignore", "a.txt", "src/b.txt"});
  }
  SUBCASE("SHA-256") {
    fs::create_directories(project.outside() / "sha256");
    const fs::path root = fs::canonical(project.outside() / "sha256");
    project.git({"init", "--quiet", "--object-format=sha256"}, root);
    test::write_file(root / "x", "x");
    project.git({"add", "x"}, root);
    project.git({"commit", "--quiet", "--message", "first"}, root);
    test::write_file(root / "x", "y");
    CHECK(opened(project, root).head()->size() == 64);
    CHECK(*opened(project, root).unclean(Repository::Ignored::personal_too) == Paths{"x"});
  }
}

TEST_CASE("repository: a checked out commit is apart from the project and leaves nothing") {
  const GitProject project;
  const std::string first = project.git({"rev-parse", "HEAD"});
  project.write("src/b.txt", "later\n");
  project.commit_all();
  const std::string refs = project.git({"worktree", "list"});
  {
    const Repository repository = opened(project, project.root() / "src");
    const auto tree = repository.check_out(first);
    REQUIRE_MESSAGE(tree.ok(), base::to_text(tree.error()));
    CHECK(test::read_file(*tree / "b.txt") == "two\n");
    CHECK(project.git({"rev-parse", "HEAD"}, *tree) == first);
    fs::create_directories(*tree / "read-only/x");
    fs::permissions(*tree / "read-only", fs::perms::owner_read);
    const auto again = repository.check_out(first);
    REQUIRE(again.ok());
    CHECK(*again != *tree);
    CHECK(test::read_file(project.root() / "src/b.txt") == "later\n");
  }
  CHECK(fs::is_empty(project.scratch()));
  CHECK(project.git({"worktree", "list"}) == refs);
  CHECK(opened(project).unclean(Repository::Ignored::personal_too)->empty());

  // What a process that was killed left behind goes when the next folder is made.
  fs::create_directories(project.scratch() / "git-check-killed/tree");
  fs::create_directories(project.scratch() / "other");
  {
    const Repository repository = opened(project);
  }
  CHECK_FALSE(fs::exists(project.scratch() / "git-check-killed"));
  CHECK(fs::exists(project.scratch() / "other"));
}
