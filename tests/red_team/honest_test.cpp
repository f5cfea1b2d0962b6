#include <doctest/doctest.h>

#include "tests/red_team/project.h"

namespace phasegate::red_team {
namespace {

/// Work as it is done: nothing of it may be refused.
struct Work {
  const char* name;
  const char* workflow;
  std::vector<std::string> planned;
  const char* before;  ///< done before the session begins
  const char* work;
  int tests_total;
};

const std::vector<std::string> kFix = {"src/add.sh", "tests/test_neg.sh", "docs/report.md"};

const Work kWorks[] = {
    {"a bug mended, red to green", "fix", kFix, ":", "fix", 2},
    {"a bug mended by a plan of patterns", "fix", {"src/**", "tests/**", "docs/**"}, ":", "fix", 2},
    {"a bug mended and committed", "fix", kFix, ":", "fix; git add -A; git commit -qm fixed", 2},
    {"test and fix in commits of their own", "fix", kFix, ":",
     "red; git add -A; git commit -qm red; fix; git add -A; git commit -qm green", 2},
    {"a bug mended on a branch", "fix", kFix, ":",
     "git checkout -qb mend; fix; git add -A; git commit -qm fixed", 2},
    {"a branch, merged", "fix", kFix, ":",
     "git checkout -qb mend; fix; git add -A; git commit -qm fixed; git checkout -q main; git "
     "merge -q --no-ff mend -m merged",
     2},
    {"a tree that was dirty at the start", "fix", kFix,
     "echo '# mine' >> src/unused.sh; echo x > notes.txt", "fix", 2},
    {"something stashed at the start", "fix", kFix, "echo '# mine' >> src/unused.sh; git stash -q",
     "fix", 2},
    {"a staged file at the start", "fix", kFix, "echo x > staged.txt; git add staged.txt", "fix",
     2},
    {"no commit since, and a tag", "fix", kFix, ":", "fix; git tag now", 2},
    {"refactored: a function moved to a new file",
     "change",
     {"src/**", "docs/report.md"},
     ":",
     "report; cp src/add.sh src/parts.sh; echo '. ./src/parts.sh' > src/add.sh",
     1},
    {"a file renamed",
     "change",
     {"src/unused.sh", "src/used.sh", "docs/report.md"},
     ":",
     "report; git mv src/unused.sh src/used.sh",
     1},
    {"a file moved to another folder",
     "change",
     {"src/unused.sh", "lib/**", "docs/report.md"},
     ":",
     "report; mkdir lib; mv src/unused.sh lib/",
     1},
    {"a file deleted that nobody used",
     "change",
     {"src/unused.sh", "docs/report.md"},
     ":",
     "report; rm src/unused.sh",
     1},
    {"tests added",
     "change",
     {"tests/**", "docs/report.md"},
     ":",
     "report; cp tests/test_base.sh tests/test_more.sh; cp tests/test_base.sh tests/test_most.sh",
     3},
    {"code added",
     "change",
     {"src/**", "docs/report.md"},
     ":",
     "report; echo 'twice() { add $1 $1; }' >> src/add.sh; echo x > src/new.sh",
     1},
    {"documentation only", "change", {"docs/**"}, ":", "report; echo more > docs/more.md", 1},
    {"white space only",
     "change",
     {"src/add.sh", "docs/report.md"},
     ":",
     "report; sed -i 's/^/  /' src/add.sh",
     1},
    {"files with CRLF",
     "change",
     {"docs/**"},
     "printf 'a\\r\\nb\\r\\n' > docs/dos.txt; git add -A; git commit -qm dos",
     "report; printf 'a\\r\\nc\\r\\n' > docs/dos.txt",
     1},
    {"line ends that git translates",
     "change",
     {"docs/report.md"},
     "git config core.autocrlf true; printf 'a\\r\\n' > docs/dos.txt; git add -A 2>&1; git commit "
     "-qm dos",
     "report",
     1},
    {"names that are not ASCII",
     "change",
     {"docs/über/größe – 大きさ.md", "docs/report.md"},
     ":",
     "report; mkdir docs/über; echo x > 'docs/über/größe – 大きさ.md'",
     1},
    {"names with spaces and quotes",
     "change",
     {"docs/a b/it's \"c\".md", "docs/report.md"},
     ":",
     "report; mkdir 'docs/a b'; echo x > \"docs/a b/it's \\\"c\\\".md\"",
     1},
    {"names that look like options and patterns",
     "change",
     {"docs/**"},
     ":",
     "report; echo x > docs/--help; echo x > 'docs/[a]*.md'; echo x > 'docs/{{x}}.md'",
     1},
    {"a link within the project",
     "change",
     {"docs/**"},
     ":",
     "report; ln -s report.md docs/latest.md",
     1},
    {"an executable bit", "change", {"src/**", "docs/**"}, ":", "report; chmod +x src/add.sh", 1},
    {"ignored files come and go",
     "change",
     {"docs/report.md"},
     ":",
     "report; mkdir -p build; echo x > build/of_the_tools",
     1},
    {"a report of an earlier run lies about",
     "change",
     {"docs/report.md"},
     "mkdir -p build; echo '<testsuite><testcase name=\"old\"><failure/></testcase></testsuite>' > "
     "build/junit.xml",
     "report",
     1},
    {"history packed and pruned in between", "fix", kFix, ":",
     "fix; git add -A; git commit -qm fixed; git gc -q --prune=now", 2},
};

void must_open(const Project& project, const test::Ended& answer) {
  CAPTURE(answer.out);
  CAPTURE(answer.err);
  CHECK(answer.code == 0);
  CHECK(contains(answer.out, "Checkpoint of phase change passed"));
  CHECK(contains(answer.out, kOfLastPhase));
  CHECK(project.journalled("phase_completed", "change") == 1);
  CHECK(project.complete("done", {{"note", "all done"}}).code == 0);
}

TEST_CASE("honest work passes at once (ARCHITECTURE §5)") {
  for (const Work& work : kWorks) {
    const std::string name = work.name;
    CAPTURE(name);
    const Project project;
    project.sh(work.before);
    project.start(work.workflow);
    project.plan(work.planned);
    project.sh(work.work);
    must_open(project, project.complete("change", all_well(work.tests_total)));
  }
}

TEST_CASE("honest work: rework after a refusal passes, also by another process (004-12)") {
  const Project project;
  project.start("fix");
  project.plan();
  project.sh("report; red");
  CHECK(project.complete("change", all_well()).code == 1);
  project.sh("fix; echo x > src/other.sh");
  CHECK(project.complete("change", all_well()).code == 1);
  CHECK(project.journalled("checks_failed", "change") == 2);
  project.sh("rm src/other.sh");
  must_open(project, project.complete("change", all_well()));
}

TEST_CASE("honest work: what was weakened and put back is forgiven") {
  const Project project;
  project.start("fix");
  project.plan();
  project.sh("fix; echo 'exit 0' > tests/run.sh; echo >> .phasegate/project.yaml");
  CHECK(project.complete("change", all_well()).code == 1);
  project.sh("git checkout -q tests/run.sh .phasegate");
  must_open(project, project.complete("change", all_well()));
}

TEST_CASE("honest work: the workflow by which this program is changed can be started") {
  const Project project;
  const test::Ended checked =
      project.run({"validate", "change", "--root", test::source_folder().string(), "--strict"});
  CHECK_MESSAGE(checked.code == 0, checked.out, checked.err);
}

TEST_CASE("honest work: in a folder of a larger repository") {
  const Project project;
  const fs::path whole = project.outside() / "whole";
  project.sh(
      "mkdir \"$OUTSIDE/whole\"; cp -r . \"$OUTSIDE/whole/part\"; cd \"$OUTSIDE/whole\"; rm -rf "
      "part/.git; "
      "echo x > beside.txt; git init -q -b main; git config user.name a; git config user.email a; "
      "git add -A; git commit -qm start");
  const auto in_part = [&](std::vector<std::string> arguments) {
    test::ToRun to_run = project.to_run(std::move(arguments));
    to_run.folder = whole / "part";
    return test::run_program(test::phasegate_binary(), to_run);
  };
  REQUIRE(in_part({"call", "start_workflow", R"({"workflow_type":"fix"})"}).code == 0);
  const test::Ended planned = in_part(
      {"call", "complete_phase",
       R"({"phase":"plan","evidence":{"files_to_change":["src/add.sh","tests/test_neg.sh","docs/**"],"plan":"docs/plan.md"}})"});
  REQUIRE_MESSAGE(planned.code == 0, planned.out, planned.err);
  project.sh("cd \"$OUTSIDE/whole/part\"; fix");
  Json arguments = Json::object();
  arguments["phase"] = "change";
  arguments["evidence"] = all_well();
  const test::Ended done = in_part({"call", "complete_phase", base::dump(arguments)});
  CHECK_MESSAGE(done.code == 0, done.out, done.err);
}

}  // namespace
}  // namespace phasegate::red_team
