#include "tests/red_team/project.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include <doctest/doctest.h>

namespace phasegate::red_team {

using test::Ended;
using test::ToRun;

namespace {

constexpr const char* kRunner = R"(#!/bin/sh
mkdir -p build
echo run >> build/runs
while [ -e build/hold ]; do echo waiting > build/began; sleep 0.02; done
all=0; wrong=0; cases=
for test in tests/test_*.sh; do
  all=$((all+1))
  if sh "$test"; then cases="$cases<testcase classname=\"t\" name=\"$test\"/>"
  else wrong=$((wrong+1)); cases="$cases<testcase classname=\"t\" name=\"$test\"><failure/></testcase>"; fi
done
echo "<testsuite name=\"s\" tests=\"$all\" failures=\"$wrong\">$cases</testsuite>" > build/junit.xml
[ $wrong = 0 ]
)";

constexpr const char* kProject = R"(commands:
  test: {argv: [sh, tests/run.sh], timeout: 60s, files: ["tests/**"], junit: build/junit.xml}
protected: [tests/run.sh, tests/golden/**, .phasegate/**]
)";

/// What the two workflows share; `%` stands for the checks of the phase `change`. The protected
/// files are looked at before anything runs that could put them back.
constexpr std::string_view kWorkflow = R"(
steps:
  - id: plan
    instructions: Plan it.
    evidence:
      files_to_change: {type: array, min_items: 1, items: {type: string}}
      plan: {type: string, format: project-path}
  - id: change
    instructions: Change it.
    evidence:
      report: {type: string, format: project-path}
      tests_total: {type: integer, check: total}
      tests_pass: {type: boolean, check: unit}
    checks:
      - {protected: {project: true}}
      - {protected: {paths: ["tests/**"], additions: allowed}}
      - {name: total, count: {files: "tests/test_*.sh"}}
      - {file: {path: docs/report.md, changed_since_step: true, min_size: 10}}
      - {name: unit, tests: {project: test, min_tests: 1, ratchet: [tests, skipped]%}}
      - git: {changed: true, within_plan: steps.plan.evidence.files_to_change}
      - expr: steps.plan.stale === false
  - id: done
    instructions: )";

constexpr const char* kShell = R"sh(
report() { echo "a report of all that was done" > docs/report.md; }
red() { printf '. ./src/add.sh\n[ "$(add 2 3)" = 5 ]\n' > tests/test_neg.sh; }
fix() { report; red; echo 'add() { echo $(($1 + $2)); }' > src/add.sh; }
)sh";

std::string workflow(const std::string& id, std::string_view of_tests) {
  std::string text(kWorkflow);
  text.replace(text.find('%'), 1, of_tests);
  return "workflow: " + id + text + std::string(kOfLastPhase) +
         "\n    evidence:\n      note: string\n";
}

}  // namespace

Project::Project() {
  static const Project kOriginal{Made{}};
  fs::copy(kOriginal.outside(), outside(),
           fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  root_ = fs::canonical(folder_.path() / "project with spaces");
}

Project::Project(Made /*made*/) {
  fs::create_directories(folder_.path() / "project with spaces");
  root_ = fs::canonical(folder_.path() / "project with spaces");
  const auto write = [&](const char* path, std::string_view bytes) {
    test::write_file(root_ / path, bytes);
  };
  write(".gitignore", "build/\n");
  write("src/add.sh", "add() { echo $(($1 - $2)); }\n");
  write("src/unused.sh", "nothing() { :; }\n");
  write("docs/report.md", "the report of last time\n");
  write("docs/plan.md", "a plan\n");
  write("tests/run.sh", kRunner);
  write("tests/test_base.sh", ". ./src/add.sh\n[ \"$(add 2 0)\" = 2 ]\n");
  write("tests/golden/a.txt", "golden\n");
  write(".phasegate/project.yaml", kProject);
  write(".phasegate/workflows/fix.yaml", workflow("fix", ", fails_at: start"));
  write(".phasegate/workflows/change.yaml", workflow("change", ""));
  sh("git init -q -b main --template= && mkdir -p .git/info && git config user.name Ada && git "
     "config user.email ada@example.org && "
     "git config commit.gpgSign false && git add -A && git commit -q -m start");
  for (const char* id : {"fix", "change"}) REQUIRE(trust(id) == 0);
}

void Project::sh(const std::string& line) const {
  ToRun shell;
  shell.arguments = {"-ec", kShell + line};
  shell.folder = root_;
  shell.variables = {{"HOME", folder_.path().string()}, {"OUTSIDE", folder_.path().string()}};
  const Ended ended = test::run_program("/bin/sh", shell);
  REQUIRE_MESSAGE(ended.code == 0, line, "\n", ended.out, ended.err);
}

ToRun Project::to_run(std::vector<std::string> arguments) const {
  ToRun to_run;
  to_run.arguments = std::move(arguments);
  to_run.folder = root_;
  to_run.variables = {{"PHASEGATE_STATE", state().string()}, {"HOME", folder_.path().string()}};
  return to_run;
}

Ended Project::run(std::vector<std::string> arguments) const {
  return test::run_program(test::phasegate_binary(), to_run(std::move(arguments)));
}

Ended Project::call(const std::string& tool, const Json& arguments) const {
  return run({"call", tool, base::dump(arguments)});
}

ToRun Project::completing(const std::string& phase, const Json& evidence) const {
  Json arguments = Json::object();
  arguments["phase"] = phase;
  arguments["evidence"] = evidence;
  return to_run({"call", "complete_phase", base::dump(arguments)});
}

Ended Project::complete(const std::string& phase, const Json& evidence) const {
  return test::run_program(test::phasegate_binary(), completing(phase, evidence));
}

int Project::trust(const std::string& workflow, std::string_view answer) const {
  test::LiveProgram person(test::phasegate_binary(), to_run({"trust", workflow}),
                           test::LiveProgram::Output::terminal);
  if (person.wait_for("[y/N] ")) person.type(answer);
  return person.wait_for_end();
}

void Project::start(const std::string& workflow) const {
  const Ended started = call("start_workflow", {{"workflow_type", workflow}});
  REQUIRE_MESSAGE(started.code == 0, started.out);
}

void Project::plan(const std::vector<std::string>& files) const {
  const Ended planned =
      complete("plan", {{"files_to_change", Json(files)}, {"plan", "docs/plan.md"}});
  REQUIRE_MESSAGE(planned.code == 0, planned.out);
}

std::string Project::phase() const {
  const Ended ended = run({"call", "get_workflow_state", "{}", "--json"});
  const auto json = base::parse_json(ended.out, {1U << 20U, 64});
  REQUIRE_MESSAGE(json.ok(), ended.out, ended.err);
  return base::string_member(*json, "current_phase").value_or("");
}

int Project::journalled(std::string_view kind, std::string_view phase) const {
  const Ended ended = run({"history", "--json"});
  const auto json = base::parse_json(ended.out, {1U << 22U, 64});
  REQUIRE_MESSAGE(json.ok(), ended.out, ended.err);
  const Json& entries = (*json)["entries"];
  return static_cast<int>(std::count_if(entries.begin(), entries.end(), [&](const Json& entry) {
    return entry["kind"] == kind && entry["phase"] == phase;
  }));
}

int Project::test_runs() const {
  if (!fs::exists(root_ / "build" / "runs")) return 0;
  const std::string lines = test::read_file(root_ / "build" / "runs");
  return static_cast<int>(std::count(lines.begin(), lines.end(), '\n'));
}

Json all_well(int tests_total) {
  Json evidence = Json::object();
  evidence["report"] = "docs/report.md";
  evidence["tests_total"] = tests_total;
  evidence["tests_pass"] = true;
  return evidence;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool becomes(const std::function<bool()>& so) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < deadline) {
    if (so()) return true;
    std::this_thread::yield();
  }
  return false;
}

}  // namespace phasegate::red_team
