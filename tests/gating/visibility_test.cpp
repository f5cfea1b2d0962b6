#include "gating/visibility.h"

#include <doctest/doctest.h>

#include "tests/support/workflows.h"

namespace phasegate::gating {
namespace {

TEST_CASE("invariant 1: a file is visible by what it belongs to and what links to it") {
  auto loaded = test::workflow(
      "w", {test::phase("0", {test::boolean("done")}), test::phase("1", {test::boolean("done")})});
  test::add_document(loaded, "core/linked.md", "x", "", {"core/further.md", "phases/1/phase.md"});
  test::add_document(loaded, "core/further.md", "x", "", {"core/linked.md"});
  test::add_document(loaded, "core/unlinked.md", "x", "");
  test::add_document(loaded, "core/later.md", "x", "");
  test::add_document(loaded, "phases/0/extra.md", "x", "0");
  test::add_document(loaded, "metadata.json", "x", "");
  loaded.workflow.documents["metadata.json"].withheld = true;
  loaded.workflow.documents["phases/0/phase.md"].links = {"core/linked.md", "phases/0/extra.md",
                                                          "metadata.json", "nowhere.md"};
  loaded.workflow.documents["phases/1/task-1.md"].links = {"core/later.md"};

  RunState run;
  run.current_phase = "0";
  const Visible at_first = visible(loaded.workflow, run);
  CHECK(at_first.phase("0"));
  CHECK_FALSE(at_first.phase("1"));
  CHECK(at_first.documents() ==
        std::set<std::string, std::less<>>{"core/further.md", "core/linked.md", "phases/0/extra.md",
                                           "phases/0/phase.md", "phases/0/task-1.md"});

  AcceptedPhase accepted;
  accepted.phase = "0";
  run.accepted.push_back(accepted);
  run.current_phase = "1";
  const Visible later = visible(loaded.workflow, run);
  CHECK(later.phase("0"));
  CHECK(later.phase("1"));
  CHECK(later.document("core/later.md"));
  CHECK(later.document("phases/1/phase.md"));
  CHECK_FALSE(later.document("core/unlinked.md"));
  CHECK_FALSE(later.document("metadata.json"));
}

TEST_CASE(
    "invariant 1: titles of later phases are hidden unless the workflow says outline: titles") {
  phases::Workflow workflow = test::workflow("w", {test::phase("a", {test::text("x")}),
                                                   test::phase("b", {test::text("y")})})
                                  .workflow;
  RunState run;
  run.current_phase = "a";
  CHECK(visible(workflow, run).title("a"));
  CHECK_FALSE(visible(workflow, run).title("b"));
  workflow.outline = true;
  CHECK(visible(workflow, run).title("b"));
  CHECK_FALSE(visible(workflow, run).phase("b"));
  CHECK_FALSE(visible(workflow, run).document(workflow.phases[1].file));
}

}  // namespace
}  // namespace phasegate::gating
