#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/json.h"
#include "tests/support/house.h"

namespace phasegate::gating::engine {
namespace {

using base::Json;

const Json kDone{{"done", true}};

phases::LoadedWorkflow two(const std::string& second_text, const std::string& second_field) {
  auto loaded = test::workflow(
      "two",
      {test::phase("1", {test::boolean("done")}), test::phase("2", {test::boolean(second_field)})},
      {{"2", second_text}});
  loaded.content_hash = base::sha256_hex(second_text + second_field);
  return loaded;
}

struct Bench {
  test::TempFolder folder;
  test::MemoryWorkflows workflows;
  base::ManualClock clock;
  base::SeededIdSource ids{5};
  test::House house{folder.path() / "state", workflows, clock, ids};

  Bench() { workflows.put(two("As it was", "old_field")); }
  Engine& engine() { return house.engine(); }

  std::string started() {
    StartRequest request;
    request.workflow = "two";
    request.principal = "ada";
    return engine().start(request)->phase.view.run.id;
  }
  Reply complete(const std::string& run, const std::string& phase, const Json& evidence) {
    CompleteRequest request;
    request.run_id = run;
    request.phase = phase;
    request.evidence = &evidence;
    return engine().complete_phase(request)->reply;
  }
  base::Result<RunView> repin(Engine& by, const std::string& run) {
    const auto view = by.repin_view(run);
    if (!view) return view.error();
    return by.repin({run, view->changed->hash, view->view.run.version, "ada"});
  }
};

}  // namespace

TEST_CASE("repin: the next call is answered from the changed workflow, also after a restart") {
  Bench bench;
  const std::string run = bench.started();
  CHECK(bench.complete(run, "1", kDone).kind == Reply::Kind::accepted);
  bench.workflows.put(two("As it is now", "new_field"));
  CHECK(bench.engine().current_phase(run)->content == "As it was");
  REQUIRE(bench.repin(bench.engine(), run).ok());
  CHECK(bench.engine().current_phase(run)->content == "As it is now");
  test::House other(bench.folder.path() / "state", bench.workflows, bench.clock, bench.ids);
  CHECK(other.engine().current_phase(run)->content == "As it is now");
  CHECK(bench.complete(run, "2", {{"old_field", true}}).kind == Reply::Kind::refused);
  CHECK(bench.complete(run, "2", {{"new_field", true}}).kind == Reply::Kind::accepted);
  CHECK(bench.engine().view(run)->run.status == RunStatus::completed);
  const auto journal = bench.engine().journal(run, 0, 50);
  REQUIRE(journal.ok());
  CHECK(std::count_if(journal->begin(), journal->end(),
                      [](const JournalRow& row) { return row.entry.kind == "run_repinned"; }) == 1);
  CHECK((*bench.engine().export_session(run).value())["metadata"]["repins"] == 1);
}

TEST_CASE("repin: a run that another process pinned anew is judged by what it is pinned to") {
  Bench bench;
  const std::string run = bench.started();
  CHECK(bench.complete(run, "1", kDone).kind == Reply::Kind::accepted);
  test::House other(bench.folder.path() / "state", bench.workflows, bench.clock, bench.ids);
  CHECK(other.engine().current_phase(run)->content == "As it was");
  bench.workflows.put(two("As it is now", "new_field"));
  REQUIRE(bench.repin(other.engine(), run).ok());
  CHECK(bench.complete(run, "2", {{"new_field", true}}).kind == Reply::Kind::accepted);
}

TEST_CASE("repin: what has changed since it was shown is shown again first") {
  Bench bench;
  const std::string run = bench.started();
  bench.workflows.put(two("As it is now", "new_field"));
  const auto shown = bench.engine().repin_view(run);
  REQUIRE(shown.ok());
  const RepinRequest request{run, shown->changed->hash, shown->view.run.version, "ada"};
  bench.workflows.put(two("Yet another", "new_field"));
  CHECK(bench.engine().repin(request).error().code == "stale_workflow");
  bench.workflows.put(two("As it is now", "new_field"));
  CHECK(bench.complete(run, "1", kDone).kind == Reply::Kind::accepted);
  CHECK(bench.engine().repin(request).error().code == "stale_version");
}

TEST_CASE("repin: without a workflow that can be started the session goes on as it is") {
  Bench bench;
  const std::string run = bench.started();
  auto broken = two("As it is now", "new_field");
  broken.findings.push_back({phases::Severity::error, "broken", "", "", {}, ""});
  bench.workflows.put(broken);
  CHECK(bench.engine().repin_view(run).error().code == "not_startable");
  bench.workflows.remove("two");
  CHECK(bench.engine().repin_view(run).error().code == "unknown_workflow");
  CHECK(bench.engine().repin_view("nonsense").error().code != "");
  CHECK(bench.engine().current_phase(run).ok());
}

}  // namespace phasegate::gating::engine
