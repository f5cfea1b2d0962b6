// What a workflow's checks want of a project that it does not have (docs/checks.md).
#include "phases/project_lint.h"

#include <doctest/doctest.h>

#include "phases/project_config.h"
#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::flow;
using phasegate::test::native;
using phasegate::test::step;

namespace {

constexpr const char* kProject =
    "commands:\n"
    "  test: [make, test]\n"
    "  unit: {argv: [make, unit], junit: j.xml, coverage: c.xml, files: [t/**]}\n"
    "hosts: [example.org, 'other.org:8080']\n";

LoadedWorkflow with_check(const std::string& check) {
  LoadedWorkflow got = native(flow("", step("a", "    checks:\n      - " + check + "\n")));
  CHECK_MESSAGE(got.startable(), all_findings(got));
  return got;
}

std::string said(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += std::string(to_text(finding.severity)) + " " + finding.code + " " + finding.hint + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("lint_project: what could never pass in this project is an error at its line") {
  struct Row {
    const char* check;
    const char* said;  ///< empty: nothing
  };
  const Row rows[] = {
      {"file: a", ""},
      {"command: {project: test}", ""},
      {"command: {project: tset}", "error unknown_command did you mean test?\n"},
      {"tests: {project: tset}", "error unknown_command did you mean test?\n"},
      {"command: {project: tset, if_missing: skip}", ""},
      {"command: {project: tset, if_missing: fail}", "error unknown_command did you mean test?\n"},
      {"tests: {project: unit, min_tests: 1, min_coverage: 80, ratchet: [tests, coverage]}", ""},
      {"tests: {project: unit, fails_at: start}", ""},
      {"tests: {project: test, min_tests: 1, junit: j.xml}", ""},
      {"tests: {project: test, min_tests: 1}",
       "error missing_report write junit: PATH of the report into the check, or into the command "
       "of "
       ".phasegate/project.yaml\n"},
      {"tests: {project: test, max_skipped: 0}",
       "error missing_report write junit: PATH of the report into the check, or into the command "
       "of "
       ".phasegate/project.yaml\n"},
      {"tests: {project: test, ratchet: [skipped]}",
       "error missing_report write junit: PATH of the report into the check, or into the command "
       "of "
       ".phasegate/project.yaml\n"},
      {"tests: {project: test, min_coverage: 8}",
       "error missing_report write coverage: PATH of the report into the check, or into the "
       "command "
       "of .phasegate/project.yaml\n"},
      {"tests: {project: test, fails_at: start}",
       "error missing_report write files: [tests/**] into the check, or into the command of "
       ".phasegate/project.yaml\n"},
      // Skipped where the command does not say which files are tests.
      {"tests: {project: test, fails_at: start, if_missing: skip}", ""},
      {"http: 'http://localhost:8080/a'", ""},
      {"http: 'http://127.0.0.1/a'", ""},
      {"http: 'http://[::1]:9/a'", ""},
      {"http: 'https://EXAMPLE.org/a?b'", ""},
      {"http: {url: 'https://own.org', hosts: [own.org]}", ""},
      {"http: 'http://other.org:8080/a'", ""},
      {"http: 'http://other.org/a'",
       "error unlisted_host write hosts: [other.org] into the check, or into "
       ".phasegate/project.yaml\n"},
      {"http: 'http://127.0.0.1.evil.org/a'",
       "error unlisted_host write hosts: [127.0.0.1.evil.org] into the check, or into "
       ".phasegate/project.yaml\n"},
  };
  const std::optional<ProjectConfig> config = read_project_config(kProject);
  REQUIRE(config->sound());
  for (const Row& row : rows) {
    CAPTURE(row.check);
    const auto findings = lint_project(with_check(row.check), config);
    CHECK(said(findings) == row.said);
    for (const Finding& finding : findings) {
      CHECK(finding.source.file == "w.yaml");
      CHECK(finding.source.line == 6);
      CHECK(finding.phase == "a");
    }
  }
}

TEST_CASE("lint_project: without a file it warns, with a broken one it is silent") {
  const LoadedWorkflow command = with_check("command: {project: test}");
  const LoadedWorkflow host = with_check("http: 'https://example.org'");
  for (const LoadedWorkflow& loaded : {command, host}) {
    const auto found = lint_project(loaded, std::nullopt);
    REQUIRE(found.size() == 1);
    CHECK(found[0].severity == Severity::warning);
    CHECK(lint_project(loaded, read_project_config("commands: {test: make}\n")).empty());
  }
  const LoadedWorkflow named = native(flow("checks: {suite: {tests: {project: tset}}}\n"));
  CHECK(lint_project(named, read_project_config(kProject)).size() == 1);
}

TEST_CASE("lacking_command: the first that cannot be done without, and the nearest") {
  const auto config = std::optional(read_project_config(kProject));
  CHECK_FALSE(lacking_command(with_check("command: {project: test}").workflow, config));
  CHECK_FALSE(
      lacking_command(with_check("command: {project: x, if_missing: skip}").workflow, config));
  const LoadedWorkflow loaded = with_check("command: {project: tset}");
  const auto lack = lacking_command(loaded.workflow, config);
  REQUIRE(lack.has_value());
  CHECK(lack->name == "tset");
  CHECK(lack->nearest == "test");
  REQUIRE(lacking_command(loaded.workflow, std::nullopt).has_value());
  CHECK(lacking_command(loaded.workflow, std::nullopt)->nearest.empty());
}
