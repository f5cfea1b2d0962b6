#include "phases/builtin.h"

#include <string>

#include <doctest/doctest.h>

#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;

TEST_CASE("built-in workflows: each is read without a word to its author") {
  REQUIRE(builtin_workflows().size() >= 5);
  for (const BuiltinWorkflow& workflow : builtin_workflows()) {
    const LoadedWorkflow got = read_native_text(std::string(workflow.id) + ".yaml", workflow.text);
    CAPTURE(workflow.id);
    CAPTURE(all_findings(got));
    CHECK(got.startable());
    CHECK(got.findings.empty());
    CHECK(got.workflow.id == workflow.id);
    CHECK(got.workflow.phases.size() >= 2);
    for (const Phase& phase : got.workflow.phases) {
      CHECK(got.workflow.documents.at(phase.file).phase == phase.id);
      CHECK_FALSE(phase.gate.weak);
    }
  }
}
