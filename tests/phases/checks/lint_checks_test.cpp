#include "phases/lint_checks.h"

#include <doctest/doctest.h>

#include "base/text.h"
#include "phases/checks/checks_reader.h"
#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::findings_of;
using phasegate::test::flow;
using phasegate::test::has;
using phasegate::test::native;
using phasegate::test::step;

TEST_CASE("lint: a boolean that a check can find out is proposed one (ARCHITECTURE §5)") {
  struct Row {
    const char* name;
    const char* description;
    const char* wanted;  ///< empty: nothing
  };
  const Row rows[] = {
      {"tests_pass", "", "{name: tests_pass, tests: {project: test}}"},
      {"a", "All unit tests are green", "{name: a, tests: {project: test}}"},
      {"a", "No failing tests remain", "{name: a, tests: {project: test}}"},
      {"a", "Tests were written", ""},
      {"a", "Tests do not pass yet", ""},
      {"a", "No lint errors", "{name: a, command: {project: lint}}"},
      {"lint_clean", "", "{name: lint_clean, command: {project: lint}}"},
      {"a", "Coverage is at least 85.5 %",
       "{name: a, tests: {project: test, min_coverage: 85.5, coverage: PATH}}"},
      {"a", "Coverage was measured", ""},
      {"a", "Coverage of 3 modules at 80 percent",
       "{name: a, tests: {project: test, min_coverage: 80, coverage: PATH}}"},
      {"a", "The project builds without errors", "{name: a, command: {project: build}}"},
      {"a", "The project builds", "{name: a, command: {project: build}}"},
      {"a", "It compiles", "{name: a, command: {project: build}}"},
      {"build_passes", "", "{name: build_passes, command: {project: build}}"},
      {"a", "Build instructions are read", ""},
      {"a", "All changes are committed", "{name: a, git: clean}"},
      {"a", "The working tree is clean", "{name: a, git: clean}"},
      {"a", "We are committed to quality", ""},
      {"a", "The file docs/plan.md exists", "{name: a, file: docs/plan.md}"},
      {"a", "`CHANGELOG.md` was created", "{name: a, file: CHANGELOG.md}"},
      {"a", "docs/{name}.md was created", ""},
      {"a", "/etc/passwd.txt exists", ""},
      {"a", "../plan.md exists", ""},
      {"a", "See https://example.org/a.html, which exists", ""},
      {"a", "docs/plan.md was reviewed", ""},
      {"a", "", ""},
      {"a.b", "Tests pass", "{name: a_b, tests: {project: test}}"},
  };
  for (const Row& row : rows) {
    Requirement requirement;
    requirement.name = row.name;
    requirement.description = row.description;
    CAPTURE(row.description);
    const auto got = proposed_check(requirement);
    CHECK(got.value_or("") == row.wanted);
    if (!got) continue;
    // What is proposed can be pasted.
    const LoadedWorkflow pasted = native(flow(
        "",
        step("a", "    evidence: {f: {type: boolean, check: " + got->substr(7, got->find(',') - 7) +
                      "}}\n    checks:\n      - " + *got + "\n")));
    CHECK_MESSAGE(pasted.startable(), all_findings(pasted));
  }
}

TEST_CASE("lint: proposals are for required booleans that nothing finds out") {
  const auto proposals = [](const std::string& field, const std::string& checks = "") {
    const LoadedWorkflow got = native(
        flow("", step("a", "    evidence: {tests_pass: " + field + ", n: integer}\n" + checks)));
    CAPTURE(all_findings(got));
    CHECK(got.startable());
    return findings_of(got, "check_proposed").size();
  };
  CHECK(proposals("boolean") == 1);
  CHECK(proposals("integer") == 0);
  CHECK(proposals("{type: boolean, required: false}") == 0);
  CHECK(proposals("{type: boolean, enum: [true, false]}") == 0);
  CHECK(proposals("{type: boolean, check: t}", "    checks: [{name: t, tests: [x]}]\n") == 0);
}

TEST_CASE("lint: a report that nothing in the gate writes can be forged") {
  const auto warned = [](const std::string& checks) {
    return findings_of(native(flow("", step("a", "    checks: [" + checks + "]\n"))),
                       "forgeable_report")
        .size();
  };
  CHECK(warned("{junit: a.xml}, {coverage: {report: c.xml, min: 1}}") == 2);
  CHECK(warned("{junit: a.xml}, {tests: [x]}") == 0);
  CHECK(warned("{file: a.xml}") == 0);
}

TEST_CASE("lint: a step with checks that look for themselves is not left on a word alone") {
  const std::string evidence = "    evidence: {done: boolean}\n";
  CHECK(has(native(flow("", step("a", evidence))), "only_booleans"));
  CHECK_FALSE(
      has(native(flow("", step("a", evidence + "    checks: [{file: a}]\n"))), "only_booleans"));
  // An expression on evidence looks at nothing else.
  CHECK(has(native(flow("", step("a", evidence + "    checks: [evidence.done]\n"))),
            "only_booleans"));
}

TEST_CASE("lint: an input that the workflow does not ask for can never be filled in") {
  const std::string asked = "input: {properties: {target_file: string, n: integer}}\n";
  const auto errors = [](const std::string& top, const std::string& checks) {
    return findings_of(native(flow(top, step("a", "    checks:\n" + checks))), "unknown_input");
  };
  CHECK(errors(asked, "      - file: '{{input.target_file}}'\n").empty());
  CHECK(errors(asked, "      - command: [a, '{{ evidence.x }}{{input.n}}']\n").empty());
  const auto found =
      errors(asked, "      - {command: {argv: [a], env: {A: '{{ input.traget_file }}'}}}\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == Severity::error);
  CHECK(found[0].hint == "did you mean {{input.target_file}}?");
  CHECK(found[0].source.line > 0);
  CHECK(errors("input: {additionalProperties: false}\n", "      - file: '{{input.x}}'\n").size() ==
        1);
  // Without a schema anything may be given.
  CHECK(errors("", "      - file: '{{input.x}}'\n").empty());
}
