#include "world/changes.h"

#include <doctest/doctest.h>

#include "tests/support/git_project.h"
#include "world/checks/repository.h"
#include "world/checks/started.h"
#include "world/checks/tree_entry.h"

namespace phasegate::world {
namespace {

using test::GitProject;
using Kind = ChangedFile::Kind;

constexpr base::TimePoint kFarAhead{4'000'000'000'000};

base::Result<Changes> look(const GitProject& project, std::string_view started = "",
                           base::TimePoint began = kFarAhead) {
  return changes_since_start({project.root(), project.scratch(), started, began, {}});
}

/// `+ path 3 0`, a line each.
std::string listed(const base::Result<Changes>& changes) {
  if (!changes) return changes.error().code;
  std::string text;
  for (const ChangedFile& file : changes->files) {
    text += file.kind == Kind::added ? "+ " : (file.kind == Kind::removed ? "- " : "~ ");
    text += file.path;
    text += file.counted
                ? " " + std::to_string(file.lines_added) + " " + std::to_string(file.lines_removed)
                : " ?";
    text += "\n";
  }
  return text;
}

TEST_CASE("changes: what came, went and changed, committed or not, with its lines") {
  const GitProject project;
  const std::string before = project.git({"rev-parse", "HEAD"});
  project.write("src/new.txt", "one\ntwo\nthree");
  project.write("picture", std::string("\x89PNG\0\1", 6));
  project.write("large", std::string((1U << 20U) + 1, 'x'));
  project.write("ignored/x", "nobody looks");
  std::filesystem::remove(project.root() / "a.txt");
  project.write("src/b.txt", "quite another line\n");
  checks::Started started;
  started.commit = before;
  const std::string text = checks::to_text(started);
  constexpr const char* kWanted =
      "- a.txt 0 1\n+ large ?\n+ picture ?\n~ src/b.txt 1 1\n+ src/new.txt 3 0\n";
  CHECK(listed(look(project, text)) == kWanted);
  project.commit_all();
  const auto changes = look(project, text);
  CHECK(listed(changes) == kWanted);
  CHECK(changes->commit == before);
  CHECK(changes->since == Changes::Since::observed);
  CHECK(changes->lines_added == 4);
  CHECK(changes->lines_removed == 2);
}

TEST_CASE("changes: what differed when the run began and is the same is no change") {
  const GitProject project;
  project.write("a.txt", "changed before\n");
  project.write("src/b.txt", "changed before\n");
  checks::Started started;
  started.commit = project.git({"rev-parse", "HEAD"});
  for (const char* path : {"a.txt", "src/b.txt"}) {
    started.dirty[path] = checks::look_at(project.root(), path).digest;
  }
  project.write("src/b.txt", "and again\n");
  CHECK(listed(look(project, checks::to_text(started))) == "~ src/b.txt 1 1\n");
}

TEST_CASE("changes: without anything seen at the start the commits' dates have to do") {
  const GitProject project;
  const std::string first = project.git({"rev-parse", "HEAD"});
  const base::TimePoint first_at{std::stoll(project.git({"show", "-s", "--format=%ct", first})) *
                                 1000};
  project.write("a.txt", "later\n");
  project.git({"-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qam", "later", "--date",
               "2100-01-01T00:00:00Z"});
  CHECK(look(project)->since == Changes::Since::by_date);
  CHECK(listed(look(project)).empty());
  const auto none = look(project, "", {first_at.ms - 60'000});
  CHECK(none->since == Changes::Since::newest);
  CHECK(none->commit == project.git({"rev-parse", "HEAD"}));
}

TEST_CASE("changes: where git cannot tell, the error says why, and nothing of it is run") {
  const test::TempFolder folder;
  CHECK(changes_since_start({folder.path(), folder.path() / "s", "", {1}, {}}).error().code ==
        "git_none");
  const GitProject project;
  const auto trace = project.outside() / "ran";
  const std::string touch = "touch " + trace.string();
  project.write(".gitattributes", "*.txt diff=evil filter=evil\n");
  for (const char* key : {"core.fsmonitor", "diff.external", "diff.evil.command",
                          "diff.evil.textconv", "filter.evil.clean", "core.pager"}) {
    project.git({"config", key, touch});
  }
  project.write("a.txt", "other\n");
  CHECK(listed(look(project)) == "+ .gitattributes 1 0\n~ a.txt 1 1\n");
  CHECK_FALSE(std::filesystem::exists(trace));
  CHECK(
      changes_since_start({project.root(), project.scratch(), "", kFarAhead, [] { return false; }})
          .error()
          .code == "git_stopped");
  checks::Started gone;
  gone.commit = std::string(40, 'a');
  CHECK(look(project, checks::to_text(gone)).error().code == "start_gone");
}

}  // namespace
}  // namespace phasegate::world
