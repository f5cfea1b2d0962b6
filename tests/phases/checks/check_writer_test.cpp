// `phasegate adopt` writes checks so that they are read again as they were.
#include "phases/native/check_writer.h"

#include <string>

#include <doctest/doctest.h>

#include "phases/native/writer.h"
#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::flow;
using phasegate::test::native;
using phasegate::test::step;

namespace {

/// Without the lines, which a new file has elsewhere.
std::vector<Check> without_source(std::vector<Check> checks) {
  for (Check& check : checks) check.source = {};
  return checks;
}

}  // namespace

TEST_CASE("write_native: checks, ties, named checks and protected databases come back the same") {
  const std::string checks = R"(
      - {file: {path: "{{input.a}}/b", min_size: 1, matches: "^#\\s\"x\"", matches_all: evidence.l}}
      - {name: unit, tests: {argv: [make, "-j4", ""], timeout: 90s, env: {A: "{{run.id}}"}, files: [t/**], fails_at: start}, error: "Red: \"x\" # no"}
      - {command: {shell: true, run: "a | b\nc", exit: [0, 2], inputs: ["*.c"], timeout: 1500ms}, cache: inputs}
      - {json: {file: a.json, schema: {type: object, properties: {"a: b": {enum: [1, 2.5, "1", true, null]}}}}}
      - {sqlite: {db: a.db, query: "SELECT 1 WHERE a = :a", parameters: {a: "{{arg}}"}}}
      - {git: {clean: true, changed: false, within: [a, b/**]}}
      - {count: {files: "*.c", pattern: "\\bTODO\\b", equals: 0, at_most: "evidence.n + 1"}}
      - {http: {url: "http://127.0.0.1:1/", status: [200, 204], hosts: [example.org]}}
      - "evidence.a === \"x\" && true"
      - {expr: true}
      - {junit: {report: a.xml, min_tests: 3, written_in_step: true}}
      - {coverage: {report: c.xml, min: 80.5, of: branches, format: lcov}}
      - {protected: {paths: "tests/**", project: true, additions: allowed}}
)";
  const std::string text = flow(
      "checks: {saved: {file: a, error: No}, isOdd: 'arg % 2'}\n"
      "protect: [{sqlite: data/a.db, backups: 3}]\n",
      step("a",
           "    evidence: {ok: {type: boolean, check: unit}, n: integer}\n    checks:" + checks) +
          step("b", "    checks: [{file: b}]\n"));
  const LoadedWorkflow original = native(text);
  CAPTURE(all_findings(original));
  REQUIRE(original.startable());
  const NativeText written = write_native({{&original, ""}});
  const LoadedWorkflow again = native(written.yaml);
  CAPTURE(written.yaml);
  CAPTURE(all_findings(again));
  REQUIRE(again.startable());
  REQUIRE(again.workflow.phases.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const Gate& was = original.workflow.phases[i].gate;
    const Gate& is = again.workflow.phases[i].gate;
    CHECK(without_source(is.checks) == without_source(was.checks));
    REQUIRE(is.requirements.size() == was.requirements.size());
    for (std::size_t k = 0; k < was.requirements.size(); ++k) {
      CHECK(is.requirements[k].check == was.requirements[k].check);
    }
    CHECK_FALSE(is.none);
  }
  CHECK(without_source(again.workflow.checks) == without_source(original.workflow.checks));
  REQUIRE(again.workflow.protect.size() == 1);
  CHECK(again.workflow.protect[0].path == "data/a.db");
  CHECK(again.workflow.protect[0].backups == 3);
}
