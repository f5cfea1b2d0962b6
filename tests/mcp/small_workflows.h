#pragma once
#include "base/json.h"
#include "tests/mcp/desk.h"

/// The workflows by which the words of answers are tried.
namespace phasegate::mcp::tools {

/// Two phases whose titles are told apart from everything else.
inline phases::LoadedWorkflow two_phases() {
  auto loaded =
      test::workflow("pair", {test::phase("1", {test::boolean("done"), test::integer("count", 1)}),
                              test::phase("2", {test::boolean("sure")})});
  loaded.workflow.phases[0].title = "Dig";
  loaded.workflow.phases[1].title = "Plant";
  return loaded;
}

/// What opens the first gate.
inline const base::Json kFirstEvidence{{"done", true}, {"count", 4}};

/// One that wants inputs.
inline phases::LoadedWorkflow with_inputs() {
  auto loaded = two_phases();
  loaded.workflow.input = {test::text("feature"), test::optional(test::integer("budget", 1))};
  test::add_document(loaded, "core/none.md", "", "");
  return loaded;
}

}  // namespace phasegate::mcp::tools
