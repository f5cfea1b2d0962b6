#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/world/checks/git_asking.h"
#include "world/checks/kinds.h"

using namespace phasegate;
namespace fs = std::filesystem;
using base::Json;
using gating::CheckOutcome;
using gating::CheckResult;
using test::Asking;
using test::GitProject;

namespace {

phases::Check git_check(const Json& parameters) {
  return test::check_of(phases::CheckKind::git, parameters);
}

CheckResult judged(const Asking& asking, const Json& parameters) {
  const CheckResult result = asking.run(world::checks::check_git, git_check(parameters));
  CHECK(result.reason.find(asking.place().root.string()) == std::string::npos);
  CHECK(result.reason.empty() == (result.outcome == CheckOutcome::passed));
  return result;
}

bool says(const CheckResult& result, std::string_view words) {
  return result.reason.find(words) != std::string::npos;
}

/// A run that began before anything was changed.
Asking begun(const GitProject& project) {
  Asking asking(project);
  asking.start(git_check({{"changed", true}}));
  return asking;
}

}  // namespace

TEST_CASE("check git: clean counts what is untracked and not what is ignored") {
  const GitProject project;
  const Asking asking(project);
  project.write("ignored/x", "x");
  CHECK(judged(asking, {{"clean", true}}).outcome == CheckOutcome::passed);
  CHECK(judged(asking, {{"clean", false}}).outcome == CheckOutcome::failed);
  for (int i = 0; i < 12; ++i) project.write("new" + std::to_string(10 + i), "x");
  const CheckResult result = judged(asking, {{"clean", true}});
  CHECK(result.outcome == CheckOutcome::failed);
  CHECK(says(result, "12 paths: \"new10\""));
  CHECK(says(result, "\"new19\", …"));
  CHECK_FALSE(says(result, "new20"));
}

TEST_CASE("check git: clean honours personal ignore lists as they were when the run began") {
  const GitProject project;
  test::write_file(project.root() / ".git/info/exclude", "*.swp\n");
  test::write_file(project.outside() / "home/.config/git/ignore", "*.orig\n");
  Asking asking(project);
  project.write("src/.b.txt.swp", "an editor's");
  project.write("a.txt.orig", "another's");
  const CheckResult unseen = judged(asking, {{"clean", true}});
  CHECK(unseen.outcome == CheckOutcome::failed);
  CHECK(says(unseen, "they were not observed when the run began"));

  asking.start(git_check({{"clean", true}}));
  CHECK(judged(asking, {{"clean", true}}).outcome == CheckOutcome::passed);
  project.write("hidden.txt", "x");
  SUBCASE("the repository's list is extended") {
    test::write_file(project.root() / ".git/info/exclude", "*.swp\nhidden.txt\n");
  }
  SUBCASE("the user's list is extended") {
    test::write_file(project.outside() / "home/.config/git/ignore", "*.orig\nhidden.txt\n");
  }
  SUBCASE("the repository names another list") {
    test::write_file(project.outside() / "list", "*\n");
    project.git({"config", "core.excludesFile", (project.outside() / "list").string()});
  }
  const CheckResult result = judged(asking, {{"clean", true}});
  CHECK(result.outcome == CheckOutcome::failed);
  CHECK(says(result, "\"hidden.txt\""));
  CHECK(says(result, "another than when the run began"));
}

TEST_CASE("check git: personal ignore lists of a repository without a commit are known, too") {
  const GitProject project;
  fs::remove_all(project.root() / ".git");
  project.git({"init", "--quiet"});
  Asking asking(project);
  asking.start(git_check({{"clean", true}}));
  test::write_file(project.outside() / "home/.config/git/ignore", "");
  project.commit_all("first");
  CHECK(judged(asking, {{"clean", true}}).outcome == CheckOutcome::passed);
}

TEST_CASE("check git: a repository that is gone was there, which is said (ARCHITECTURE §5)") {
  const GitProject project;
  const Asking asking = begun(project);
  const char* why = "";
  SUBCASE("deleted") {
    fs::remove_all(project.root() / ".git");
    why = "in no git repository; there was one when the run began, at commit ";
  }
  SUBCASE("no repository any more") {
    fs::remove_all(project.root() / ".git/refs");
    why = "; there was one when the run began, at commit ";
  }
  SUBCASE("made anew") {
    fs::remove_all(project.root() / ".git");
    project.git({"init", "--quiet"});
    why = "the repository has no commit yet; there was one when the run began, at commit ";
  }
  for (const Json& parameters : {Json{{"clean", true}}, Json{{"untouched", {"src/**"}}}}) {
    const CheckResult result = judged(asking, parameters);
    CAPTURE(result.reason);
    CHECK(result.outcome == CheckOutcome::errored);
    if (parameters.contains("clean")) CHECK(says(result, why));
    CHECK(result.hint.find("git init") == std::string::npos);
    CHECK(result.hint.find("start a new run") != std::string::npos);
  }
}

TEST_CASE("check git: branch is a pattern") {
  const GitProject project;
  const Asking asking(project);
  CHECK(judged(asking, {{"branch", "^ma"}}).outcome == CheckOutcome::passed);
  const CheckResult other = judged(asking, {{"branch", "^feature/"}});
  CHECK(other.outcome == CheckOutcome::failed);
  CHECK(says(other, "\"main\""));
  CHECK(judged(asking, {{"branch", "("}}).outcome == CheckOutcome::errored);
  project.git({"checkout", "--quiet", "--detach"});
  CHECK(judged(asking, {{"branch", ".*"}}).outcome == CheckOutcome::failed);
}

TEST_CASE("check git: commit is the id of a commit that is there, from evidence") {
  const GitProject project;
  Asking asking(project);
  const Json wanted = {{"commit", "{{evidence.commit}}"}};
  const std::string commit = project.git({"rev-parse", "HEAD"});
  const std::pair<std::string, CheckOutcome> cases[] = {
      {commit, CheckOutcome::passed},
      {commit.substr(0, 10), CheckOutcome::passed},
      {"--upload-pack=x", CheckOutcome::failed},
      {"HEAD", CheckOutcome::failed},
      {project.git({"rev-parse", "HEAD^{tree}"}), CheckOutcome::failed},
      {"", CheckOutcome::failed},
      {std::string(40, '1'), CheckOutcome::failed},
  };
  for (const auto& [id, outcome] : cases) {
    CAPTURE(id);
    asking.scope = {{"evidence", {{"commit", id}}}};
    CHECK(judged(asking, wanted).outcome == outcome);
  }
  asking.scope = {{"evidence", Json::object()}};
  CHECK(judged(asking, wanted).outcome == CheckOutcome::errored);
}

TEST_CASE("check git: changed since the start, committed or not") {
  const GitProject project;
  const Asking asking = begun(project);
  CHECK(judged(asking, {{"changed", true}}).outcome == CheckOutcome::failed);
  CHECK(judged(asking, {{"changed", false}}).outcome == CheckOutcome::passed);
  project.write("a.txt", "changed");
  CHECK(judged(asking, {{"changed", true}}).value == "1");
  CHECK(judged(asking, {{"changed", false}}).outcome == CheckOutcome::failed);
  project.commit_all();
  CHECK(judged(asking, {{"changed", true}}).outcome == CheckOutcome::passed);
  project.write("a.txt", "one\n");
  CHECK(judged(asking, {{"changed", true}}).value == "1");  // the commit still differs
  project.commit_all();
  CHECK(judged(asking, {{"changed", true}}).outcome == CheckOutcome::failed);
}

TEST_CASE("check git: what was dirty at the start is not what the run changed") {
  const GitProject project;
  project.write("a.txt", "dirty");
  project.write("loose.txt", "loose");
  fs::remove(project.root() / "src/b.txt");
  const Asking asking = begun(project);
  CHECK(judged(asking, {{"changed", true}}).outcome == CheckOutcome::failed);
  SUBCASE("committed as it was") {
    project.commit_all();
    CHECK(judged(asking, {{"changed", true}}).value == "0");
  }
  SUBCASE("changed back") {
    project.write("a.txt", "one\n");
    project.write("src/b.txt", "two\n");
    fs::remove(project.root() / "loose.txt");
    CHECK(judged(asking, {{"changed", true}}).value == "3");
  }
  SUBCASE("changed further") {
    project.write("a.txt", "dirtier");
    project.write("loose.txt", "looser");
    CHECK(judged(asking, {{"changed", true}}).value == "2");
  }
  SUBCASE("turned into a link") {
    fs::remove(project.root() / "a.txt");
    fs::create_symlink("loose.txt", project.root() / "a.txt");
    CHECK(judged(asking, {{"changed", true}}).value == "1");
  }
}

TEST_CASE("check git: touched, untouched and within tell paths by globs") {
  const GitProject project;
  const Asking asking = begun(project);
  project.write("src/b.txt", "changed");
  project.write("docs/new.md", "new");
  project.git({"mv", "a.txt", "moved.txt"});
  struct Case {
    Json parameters;
    CheckOutcome outcome;
    std::string says;
  };
  const auto kPassed = CheckOutcome::passed;
  const auto kFailed = CheckOutcome::failed;
  const Case cases[] = {
      {{{"touched", {"src/**"}}}, kPassed, ""},
      {{{"touched", {"src/**", "docs/*.md", "a.txt", "moved.txt"}}}, kPassed, ""},
      {{{"touched", {"src/**", "lib/**"}}}, kFailed, "\"lib/**\""},
      {{{"untouched", {"tests/**"}}}, kPassed, ""},
      {{{"untouched", {"a.txt"}}}, kFailed, "\"a.txt\""},
      {{{"within", {"src/**", "docs/**", "*.txt"}}}, kPassed, ""},
      {{{"within", {"src/**"}}}, kFailed, "\"docs/new.md\", \"moved.txt\""},
      {{{"touched", {"lib/**"}}, {"within", {"src/**"}}}, kFailed, "; changed outside"},
      {{{"within", {"/etc/**"}}}, CheckOutcome::errored, ""},
  };
  for (const Case& one : cases) {
    CAPTURE(one.parameters.dump());
    const CheckResult result = judged(asking, one.parameters);
    CAPTURE(result.reason);
    CHECK(result.outcome == one.outcome);
    CHECK(says(result, one.says));
  }
}

TEST_CASE("check git: within_plan holds a run to what an earlier phase planned") {
  const GitProject project;
  Asking asking = begun(project);
  project.write("src/b.txt", "changed");
  project.write("docs/new.md", "new");
  const std::pair<Json, CheckOutcome> cases[] = {
      {{"src", "docs/new.md"}, CheckOutcome::passed},
      {{"./src/", "docs/*.md"}, CheckOutcome::passed},
      {{"src/b.txt", "docs"}, CheckOutcome::passed},
      {{"src/b.txt"}, CheckOutcome::failed},
      {{"sr", "doc"}, CheckOutcome::failed},
      {Json::array(), CheckOutcome::failed},
      {{"**"}, CheckOutcome::failed},
      {{"."}, CheckOutcome::failed},
      {{""}, CheckOutcome::failed},
      {{"src", "docs", "*"}, CheckOutcome::failed},
      {{"!nothing"}, CheckOutcome::failed},
      {{"{x,**}"}, CheckOutcome::failed},
      {{"src", "docs", "[!~]*"}, CheckOutcome::failed},
      {{"[!~]*/**"}, CheckOutcome::failed},
      {{"[a-z]*/**"}, CheckOutcome::failed},
      {{"{s,d,a,b,c}*/**"}, CheckOutcome::failed},
      {{"{src,docs}/**"}, CheckOutcome::passed},
      {{"**/b.txt", "docs/**"}, CheckOutcome::passed},
      {{"**/*.{txt,md}"}, CheckOutcome::passed},
      {{"s*/**", "d*/**"}, CheckOutcome::passed},
      {{"../x", "src", "docs"}, CheckOutcome::failed},
      {{"src", 1}, CheckOutcome::failed},
      {"src", CheckOutcome::failed},
      {nullptr, CheckOutcome::failed},
  };
  for (const auto& [plan, outcome] : cases) {
    CAPTURE(plan.dump());
    asking.scope = {{"steps", {{"plan", {{"output", {{"paths", plan}}}}}}}};
    const CheckResult result = judged(asking, {{"within_plan", "steps.plan.output.paths"}});
    CAPTURE(result.reason);
    CHECK(result.outcome == outcome);
  }
  CHECK(judged(asking, {{"within_plan", "nowhere.paths"}}).outcome == CheckOutcome::errored);
}

TEST_CASE("check git: whoever changes the personal ignore lists hides nothing") {
  const GitProject project;
  const Asking asking = begun(project);
  project.write("hidden.txt", "x");
  test::write_file(project.root() / ".git/info/exclude", "hidden.txt\n");
  CHECK(says(judged(asking, {{"untouched", {"hidden.txt"}}}), "hidden.txt"));
}

TEST_CASE("check git: without a start to compare with, or without its commit, it errs") {
  const GitProject project;
  Asking asking(project);
  CHECK(judged(asking, {{"changed", true}}).outcome == CheckOutcome::errored);
  CHECK(judged(asking, {{"clean", true}}).outcome == CheckOutcome::passed);

  fs::rename(project.root() / ".git", project.root() / ".hidden");
  asking.start(git_check({{"changed", true}}));
  CHECK(judged(asking, {{"clean", true}}).outcome == CheckOutcome::errored);
  fs::rename(project.root() / ".hidden", project.root() / ".git");
  const CheckResult none = judged(asking, {{"changed", true}});
  CHECK(none.outcome == CheckOutcome::errored);
  CHECK(says(none, "in no git repository"));

  project.commit_all("will be gone");
  asking.start(git_check({{"changed", true}}));
  project.git({"reset", "--quiet", "--hard", "HEAD^"});
  project.git({"reflog", "expire", "--expire=now", "--all"});
  project.git({"gc", "--quiet", "--prune=now"});
  const CheckResult gone = judged(asking, {{"changed", true}});
  CHECK(gone.outcome == CheckOutcome::errored);
  CHECK(says(gone, "not in the repository any more"));
}

TEST_CASE("check git: nothing is judged while something else is going on") {
  const GitProject project;
  const Asking asking = begun(project);
  project.write(".git/index.lock", "");
  const CheckResult result = judged(asking, {{"clean", true}});
  CHECK(result.outcome == CheckOutcome::errored);
  CHECK(says(result, "index.lock"));
}
