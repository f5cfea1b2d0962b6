#include "tests/support/snapshot.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "mcp/tools/tools.h"
#include "phases/folder_reader.h"
#include "tests/support/house.h"

/// What assistants see, word for word: the tools and a typical session over a small workflow.
namespace phasegate {
namespace {

using base::Json;

std::string both(const mcp::protocol::ToolResult& result) {
  return std::string(result.is_error ? "isError: true\n" : "") + "--- text\n" + result.text +
         "\n--- structured\n" + base::dump_pretty(*result.structured) + "\n";
}

TEST_CASE("snapshot: the tools and the instructions") {
  test::TempFolder folder;
  test::MemoryWorkflows workflows;
  base::ManualClock clock;
  base::SeededIdSource ids{1};
  test::House house(folder.path() / "state", workflows, clock, ids);
  const auto tools = mcp::tools::make_tools(house.engine(), {});
  std::string text = std::string(mcp::tools::instructions()) + "\n";
  const auto listed = tools->tools();
  for (const auto& tool : *listed) {
    text += "\n# " + tool.name + " (" + tool.title + ")" + (tool.read_only ? ", read-only" : "") +
            (tool.idempotent ? ", idempotent" : "") + "\n" + tool.description + "\n" +
            base::dump_pretty(Json::parse(tool.input_schema)) + "\n";
  }
  test::check_snapshot("tools.txt", text);
}

TEST_CASE("snapshot: a session from start to end") {
  test::TempFolder folder;
  test::MemoryWorkflows workflows;
  workflows.put(
      phases::read_workflow_folder(test::fixture("bakery"), phases::PlainRequirementReader()));
  base::ManualClock clock;
  base::SeededIdSource ids{1};
  test::House house(folder.path() / "state", workflows, clock, ids);
  const auto snapshot = [&](const char* name, const mcp::protocol::ToolResult& result) {
    clock.advance_ms(1000);
    test::check_snapshot(name, both(result));
    return *result.structured;
  };

  snapshot("list_workflows.txt", house.call("list_workflows", Json::object()));
  const Json started = snapshot(
      "start_workflow.txt",
      house.call("start_workflow", {{"workflow_type", "bakery"}, {"target_file", "bread.md"}}));
  const Json session{{"session_id", started["session_id"]}};
  const auto with = [&](const Json& more) {
    Json arguments = session;
    arguments.update(more);
    return arguments;
  };
  snapshot("get_task.txt", house.call("get_task", with({{"phase", "1"}, {"task_number", "1"}})));
  snapshot("get_task_file.txt",
           house.call("get_task", with({{"phase", "1"}, {"file", "core/flour.md"}})));
  snapshot("refused_skip.txt", house.call("get_phase_content", with({{"phase", "2"}})));
  snapshot("refused_evidence.txt",
           house.call("complete_phase",
                      with({{"phase", "1"},
                            {"evidence", {{"dough_is_rested", true}, {"loaves", "three"}}}})));
  snapshot(
      "passed.txt",
      house.call("complete_phase",
                 with({{"phase", "1"},
                       {"evidence",
                        {{"dough_rested", true}, {"loaves", 3}, {"flours", {"rye", "wheat"}}}}})));
  snapshot("get_workflow_state.txt", house.call("get_workflow_state", session));
  snapshot("review.txt", house.call("get_phase_content", with({{"phase", "1"}})));
  snapshot("completed.txt",
           house.call("complete_phase",
                      with({{"phase", "2"}, {"evidence", {{"crust_is_brown", true}}}})));
  snapshot("list_sessions.txt", house.call("list_sessions", {{"status", "all"}}));
  snapshot(
      "unknown_session.txt",
      house.call("get_workflow_state", {{"session_id", "00000000-0000-4000-8000-000000000000"}}));
}

}  // namespace
}  // namespace phasegate
