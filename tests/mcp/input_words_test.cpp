#include <doctest/doctest.h>

#include "base/json.h"
#include "mcp/tools/tools.h"
#include "tests/mcp/desk.h"
#include "tests/mcp/small_workflows.h"

/// How the inputs of a workflow and of a session are told.
namespace phasegate::mcp::tools {
namespace {

using base::Json;
using test::Desk;

TEST_CASE("list_workflows tells the inputs of a workflow") {
  Desk desk(with_inputs());
  const auto result = desk.house.call("list_workflows", Json::object());
  const Json row = (*result.structured)["workflows"][0];
  CHECK(row["inputs"] == Json{{"feature", "string, not blank – about feature"},
                              {"budget", "integer, at least 1, optional – about budget"}});
  CHECK(result.text.find("inputs: feature (string, not blank – about feature), budget (integer, at "
                         "least 1, optional – about budget)") != std::string::npos);
  Desk without(two_phases());
  CHECK_FALSE(without.ok("list_workflows", Json::object())["workflows"][0].contains("inputs"));
}

TEST_CASE("very many inputs are shortened, in both representations") {
  auto loaded = two_phases();
  for (int i = 0; i < 40; ++i)
    loaded.workflow.input.push_back(test::text("in" + std::to_string(i)));
  Desk desk(loaded);
  const auto result = desk.house.call("list_workflows", Json::object());
  CHECK((*result.structured)["workflows"][0]["inputs"]["…"] == "28 more");
  CHECK(result.text.find("… 28 more") != std::string::npos);
}

TEST_CASE("the run's input is shown wherever a fresh context looks") {
  Desk desk(with_inputs());
  const Json input{{"feature", "search"}, {"budget", 3}};
  const Json started = desk.ok("start_workflow", {{"workflow_type", "pair"}, {"input", input}});
  CHECK(started["input"] == input);
  CHECK_FALSE(started.contains("extra_input"));
  const Json session{{"session_id", started["session_id"]}};
  for (const char* tool : {"get_current_phase", "get_workflow_state"}) {
    CAPTURE(tool);
    const auto result = desk.house.call(tool, session);
    CHECK((*result.structured)["input"] == input);
    CHECK(result.text.find("Input: {\"feature\":\"search\",\"budget\":3}") != std::string::npos);
  }
  Desk without(two_phases());
  const std::string plain = without.start("pair");
  CHECK_FALSE(without.ok("get_current_phase", {{"session_id", plain}}).contains("input"));
}

TEST_CASE("a long input is shortened and says so") {
  Desk desk(with_inputs());
  const Json started =
      desk.ok("start_workflow",
              {{"workflow_type", "pair"}, {"input", {{"feature", std::string(5000, 'f')}}}});
  CHECK(started["input_shortened"] == true);
  CHECK(base::dump(started["input"]).size() <= 400);
  const auto state = desk.house.call("get_workflow_state", {{"session_id", started["session_id"]}});
  CHECK((*state.structured)["input_shortened"] == true);
  CHECK(state.text.find("(shortened)") != std::string::npos);
}

TEST_CASE("an input may be a plain text, and one that nobody asked for is named") {
  Desk desk(with_inputs());
  const auto misnamed = desk.house.call(
      "start_workflow", {{"workflow_type", "pair"}, {"input", {{"feature", "x"}, {"budgets", 1}}}});
  REQUIRE_FALSE(misnamed.is_error);
  CHECK((*misnamed.structured)["extra_input"] ==
        Json::array({"budgets (did you mean \"budget\"?)"}));
  CHECK(misnamed.text.find("budgets (did you mean \"budget\"?)") != std::string::npos);

  CHECK(desk.refused("start_workflow", {{"workflow_type", "pair"},
                                        {"input", "make it blue"}})["error"] == "invalid_input");
  CHECK(desk.refused("start_workflow", {{"workflow_type", "pair"}, {"input", 5}})["error"] ==
        "invalid_argument");
  auto texts = two_phases();
  texts.workflow.input = {test::text("text")};
  test::add_document(texts, "core/none.md", "", "");
  desk.workflows.put(std::move(texts));
  CHECK(
      desk.ok("start_workflow", {{"workflow_type", "pair"}, {"input", "make it blue"}})["input"] ==
      Json{{"text", "make it blue"}});
  desk.workflows.put(two_phases());
  CHECK(desk.ok("start_workflow",
                {{"workflow_type", "pair"}, {"input", "make it blue"}})["input"] == "make it blue");
}

}  // namespace
}  // namespace phasegate::mcp::tools
