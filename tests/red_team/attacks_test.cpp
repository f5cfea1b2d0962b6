#include <doctest/doctest.h>

#include "tests/red_team/project.h"

namespace phasegate::red_team {
namespace {

/// What an assistant does in the phase `change` of the workflow `fix`, and what it is told.
struct Attack {
  const char* name;
  const char* shell;  ///< see Project::sh
  int tests_total;
  const char* said;  ///< names what is wrong
  const char* todo;  ///< names what to do
};

constexpr const char* kPutBack = "put them back as they were";
constexpr const char* kGitShows = "git status and git diff show it";
constexpr const char* kAgain = "then call complete_phase again with evidence that is true";

const Attack kAttacks[] = {
    {"all true, nothing done", ":", 1, "no test was added or changed", "write the test first"},
    {"only the report", "report", 1, "no test was added or changed", "write the test first"},
    {"the report of last time", "fix; git checkout -q docs/report.md", 2,
     "docs/report.md has not changed since the phase was entered", kAgain},
    {"the report of last time, touched",
     "fix; git checkout -q docs/report.md; touch docs/report.md", 2,
     "has not changed since the phase was entered", kAgain},
    {"no report", "fix; rm docs/report.md", 2, "docs/report.md does not exist", "did you mean"},
    {"an empty report", "fix; : > docs/report.md", 2, "0 bytes, wanted at least 10", kAgain},
    {"a link to a file outside", "fix; ln -sf /etc/passwd docs/report.md", 2,
     "is a link that leads out of the project", "put the file itself into the project"},
    {"a link to a device", "fix; ln -sf /dev/zero docs/report.md", 2,
     "is a link that leads out of the project", "put the file itself into the project"},
    {"a pipe instead of a file", "fix; rm docs/report.md; mkfifo docs/report.md", 2,
     "docs/report.md is not a regular file", kAgain},
    {"a folder instead of a file", "fix; rm docs/report.md; mkdir docs/report.md", 2,
     "docs/report.md is a folder, wanted a file", "name a file in it"},
    {"more tests than there are", "fix", 7,
     "wanted 2, which the check total found, got the number 7", kAgain},
    {"a test, and no fix", "report; red", 2, "the tests fail", "make them pass without weakening"},
    {"a fix whose test shows nothing", "fix; echo true > tests/test_neg.sh", 2,
     "the tests pass already at the start", "add a test that fails without the change"},
    {"a weaker test", "fix; echo true > tests/test_base.sh", 2, "\"tests/test_base.sh\"", kPutBack},
    {"a test less", "fix; rm tests/test_base.sh", 1, "removed since the run began", kPutBack},
    {"a test that is not found any more", "fix; mv tests/test_base.sh tests/base.sh", 1,
     "removed since the run began", kPutBack},
    {"a test that cannot be read as one",
     "fix; rm tests/test_base.sh; ln -s test_neg.sh tests/test_base.sh", 2,
     "\"tests/test_base.sh\"", kPutBack},
    {"a runner that always succeeds", "report; red; echo 'exit 0' > tests/run.sh", 2,
     "\"tests/run.sh\"", kPutBack},
    {"a runner that writes the report and puts itself back",
     "report; red; printf 'mkdir -p build; echo \"<testsuite><testcase "
     "name=\\\"a\\\"/></testsuite>\""
     " > build/junit.xml; git checkout tests/run.sh\\n' > tests/run.sh",
     2, "\"tests/run.sh\"", kPutBack},
    {"a golden file of one's own", "fix; echo leaden > tests/golden/a.txt", 2,
     "\"tests/golden/a.txt\"", kPutBack},
    {"a golden file more", "fix; echo x > tests/golden/b.txt", 2, "added since the run began",
     kPutBack},
    {"golden files behind a link", "fix; mv tests/golden tests/g; ln -s g tests/golden", 2,
     "removed since the run began", kPutBack},
    {"another test command",
     "report; red; sed -i 's/sh, tests.run.sh/\"true\"/' .phasegate/project.yaml", 2,
     "\".phasegate/project.yaml\"", kPutBack},
    {"another test command, committed",
     "report; red; sed -i 's/sh, tests.run.sh/\"true\"/' .phasegate/project.yaml; git add -A; git "
     "commit -qm x",
     2, "\".phasegate/project.yaml\"", kPutBack},
    {"a workflow without its checks", "fix; sed -i '/protected:/d' .phasegate/workflows/fix.yaml",
     2, "\".phasegate/workflows/fix.yaml\"", kPutBack},
    {"a change that was not planned", "fix; echo x > src/other.sh", 2,
     "changed and not planned are 1 path: \"src/other.sh\"", kGitShows},
    {"the same, committed", "fix; echo x > src/other.sh; git add -A; git commit -qm x", 2,
     "\"src/other.sh\"", kGitShows},
    {"the same, committed on another branch",
     "fix; echo x > src/other.sh; git checkout -qb b; git add -A; git commit -qm x", 2,
     "\"src/other.sh\"", kGitShows},
    {"the same, on a branch without history",
     "fix; echo x > src/other.sh; git checkout -q --orphan o; git add -A; git commit -qm x", 2,
     "\"src/other.sh\"", kGitShows},
    {"the same, in the commit of the start",
     "fix; echo x > src/other.sh; git add -A; git commit -q --amend -m start", 2,
     "\"src/other.sh\"", kGitShows},
    {"the same, in place of the commit of the start",
     "fix; echo x > src/other.sh; git add -A; git commit -qm x; git replace HEAD~1 HEAD", 2,
     "\"src/other.sh\"", kGitShows},
    {"the same, excluded", "fix; echo x > src/other.sh; echo src/other.sh >> .git/info/exclude", 2,
     "\"src/other.sh\"", kGitShows},
    {"the same, excluded by the configuration",
     "fix; echo x > src/other.sh; echo src/other.sh > .git/e; git config core.excludesFile .git/e",
     2, "\"src/other.sh\"", kGitShows},
    {"the same, ignored", "fix; echo x > src/other.sh; echo src/other.sh >> .gitignore", 2,
     "\".gitignore\"", kGitShows},
    {"a change that git is told not to look at",
     "fix; git update-index --assume-unchanged src/unused.sh; echo x > src/unused.sh", 2,
     "\"src/unused.sh\"", kGitShows},
    {"a change outside of a sparse checkout",
     "fix; git update-index --skip-worktree src/unused.sh; echo x > src/unused.sh", 2,
     "\"src/unused.sh\"", kGitShows},
    {"a change behind a filter",
     "fix; git config filter.h.clean 'git show HEAD:src/unused.sh'; echo 'src/unused.sh filter=h' "
     "> "
     ".git/info/attributes; echo x > src/unused.sh",
     2, "\"src/unused.sh\"", kGitShows},
    {"a change in another working tree",
     "fix; cp -r . \"$OUTSIDE/other\"; git config core.worktree \"$OUTSIDE/other\"; echo x > "
     "src/other.sh",
     2, "\"src/other.sh\"", kGitShows},
    {"a repository within the repository",
     "fix; mkdir sub; cd sub; git init -q; echo x > f; git add -A; git -c user.name=a -c "
     "user.email=a "
     "commit -qm x",
     2, "\"sub/f\"", kGitShows},
    {"a file deleted that was not planned", "fix; rm src/unused.sh", 2, "\"src/unused.sh\"",
     kGitShows},
    {"another plan afterwards", "fix; echo another >> docs/plan.md", 2,
     "steps.plan.stale === false is false", kAgain},
    {"a start that is gone",
     "fix; git add -A; git commit -q --amend -m x; git reflog expire --expire=now --all; git gc -q "
     "--prune=now",
     2, "is not in the repository any more", "bring the commit back, or start a new run"},
    {"a history of one's own",
     "fix; rm -rf .git; git init -q; git add -A; git -c user.name=a -c user.email=a commit -qm x",
     2, "is not in the repository any more", "bring the commit back, or start a new run"},
    {"no repository", "fix; rm -rf .git", 2, "the project is in no git repository", kAgain},
};

void must_stay_shut(const Project& project, const test::Ended& answer, const Attack& attack) {
  CAPTURE(answer.out);
  CAPTURE(answer.err);
  CHECK(answer.code == 1);
  CHECK(contains(answer.out, attack.said));
  CHECK(contains(answer.out, attack.todo));
  CHECK(contains(answer.out, "What to do: "));
  CHECK_FALSE(contains(answer.out, kOfLastPhase));
  CHECK(project.phase() == "change");
}

TEST_CASE(
    "red team: what is done to the files does not open the gate, and is named (ARCHITECTURE §5)") {
  for (const Attack& attack : kAttacks) {
    const std::string name = attack.name;
    CAPTURE(name);
    const Project project;
    project.start("fix");
    project.plan();
    project.sh(attack.shell);
    must_stay_shut(project, project.complete("change", all_well(attack.tests_total)), attack);
  }
}

/// What is written into the evidence, with all the work done.
TEST_CASE("red team: evidence is no path out, no template and no word for a check (002-12)") {
  const Project project;
  project.start("fix");
  project.plan();
  project.sh("fix");
  using namespace std::string_literals;
  for (const std::string& path :
       {"../../etc/passwd"s, "/etc/passwd"s, "docs/re\nport.md"s, "docs/report.md\0x"s, ""s, " "s,
        "docs/none.md"s, "{{run.id}}"s, "{{evidence.plan}}"s, "docs/report.md/x"s, "--version"s,
        std::string(300, 'a'), "docs/" + std::string(70'000, 'a')}) {
    Json evidence = all_well();
    evidence["report"] = path;
    CAPTURE(path.substr(0, 100));
    const Attack attack{"", "", 2, "report", "What to do: "};
    must_stay_shut(project, project.complete("change", evidence), attack);
  }
  Json liar = all_well();
  liar["tests_pass"] = false;
  must_stay_shut(project, project.complete("change", liar),
                 {"", "", 2, "tests_pass", "What to do: "});
  for (const Json& wrong : {Json("2"), Json(2.5), Json(nullptr), Json(true), Json::array({2})}) {
    Json evidence = all_well();
    evidence["tests_total"] = wrong;
    must_stay_shut(project, project.complete("change", evidence),
                   {"", "", 2, "tests_total", "What to do: "});
  }
  CHECK(project.complete("change", all_well()).code == 0);
}

}  // namespace
}  // namespace phasegate::red_team
