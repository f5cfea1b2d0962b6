#include "mcp/tools/tools.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/limits.h"
#include "tests/mcp/desk.h"

namespace phasegate::mcp::tools {
namespace {

using base::Json;
using test::Desk;

const Json kSeedEvidence = Json::parse(R"({"function_count":21,"method_count":15,"branch_count":36,
  "ast_command_output":"def compile()...","functions_list":["compile","parse"]})");

TEST_CASE("the list of tools is small, flat and portable") {
  Desk desk(test::test_generation());
  const auto tools = make_tools(desk.house.engine(), {});
  std::size_t bytes = 0;
  const auto listed = tools->tools();
  for (const auto& tool : *listed) {
    CAPTURE(tool.name);
    const Json schema = Json::parse(tool.input_schema);
    CHECK(schema["type"] == "object");
    CHECK(schema["additionalProperties"] == false);
    for (const auto& property : schema["properties"].items()) {
      CHECK(property.value()["type"].is_string());
    }
    CHECK(tool.description.size() < 2048);
    bytes += tool.description.size() + tool.input_schema.size();
  }
  CHECK(listed->size() <= 13);
  CHECK(bytes < 7 * 1024);
  CHECK(instructions().size() < 2048);
}

TEST_CASE("004-40, 004-41, P-5: a phase's content is its own file, whole, with its source") {
  Desk desk(test::test_generation());
  const std::string session =
      desk.ok("start_workflow", {{"workflow_type", "test_generation_v3"}})["session_id"];
  const Json content = desk.ok("get_current_phase", {{"session_id", session}})["phase_content"];
  CHECK(content["phase"] == "1");
  CHECK(content["content"] == "# Phase 1\n\nText of phase 1\n");
  CHECK(content["sources"] == Json::array({"phases/1/phase.md"}));
  CHECK(content["total_tokens"] == content["content"].get<std::string>().size() / 4);
}

TEST_CASE("004-39, 004-42, 004-47: the state of a session, at once and for every session") {
  Desk desk(test::test_generation());
  const std::string session =
      desk.ok("start_workflow", {{"workflow_type", "test_generation_v3"}})["session_id"];
  desk.ok("complete_phase", {{"session_id", session}, {"phase", "1"}, {"evidence", kSeedEvidence}});
  desk.refused("complete_phase",
               {{"session_id", session}, {"phase", "2"}, {"evidence", Json::object()}});
  const Json state = desk.ok("get_workflow_state", {{"session_id", session}});
  CHECK(state["progress_percentage"] == 33);
  CHECK(state["attempts"] == 1);
  CHECK(state["missing"] == Json::array({"logger_call_count"}));
  CHECK(state["can_resume"] == true);
  CHECK(state["phases_passed"][0]["phase"] == "1");
  CHECK(state["assurance"]["self_attested"] == 5);
}

TEST_CASE("004-29, 004-30: a walk to the end carries the names that users know") {
  Desk desk(test::test_generation());
  const Json started =
      desk.ok("start_workflow", {{"workflow_type", "test_generation_v3"}, {"target_file", "a.py"}});
  const std::string session = started["session_id"];
  CHECK(started["current_phase"] == "1");
  CHECK(started["total_phases"] == 3);
  CHECK(started["checkpoint_criteria"]["evidence_schema"]["properties"].size() == 5);
  CHECK(started["phase_content"]["content"].get<std::string>().find("Text of phase 1") !=
        std::string::npos);

  const Json first = desk.ok("complete_phase",
                             {{"session_id", session}, {"phase", 1}, {"evidence", kSeedEvidence}});
  CHECK(first["checkpoint_passed"] == true);
  CHECK(first["phase_completed"] == "1");
  CHECK(first["next_phase"] == "2");
  CHECK(first["next_phase_content"]["phase"] == "2");
  CHECK(first["artifacts_available"]["1"]["function_count"] == 21);
  CHECK(first["workflow_complete"] == false);

  desk.ok("complete_phase",
          {{"session_id", session}, {"phase", "2"}, {"evidence", {{"logger_call_count", 3}}}});
  const Json last = desk.ok(
      "complete_phase", {{"session_id", session}, {"phase", "3"}, {"evidence", {{"done", true}}}});
  CHECK(last["workflow_complete"] == true);
  CHECK(last["message"] == "All phases complete");
  CHECK(last["outcome"] == "ok");
  const Json again = desk.ok(
      "complete_phase", {{"session_id", session}, {"phase", "3"}, {"evidence", {{"done", true}}}});
  CHECK(again["repeated"] == true);
}

TEST_CASE("004-07, 004-08: reading a phase gives content, criteria and artifacts") {
  Desk desk(test::test_generation());
  const std::string session =
      desk.ok("start_workflow", {{"workflow_type", "test_generation_v3"}})["session_id"];
  desk.ok("complete_phase", {{"session_id", session}, {"phase", "1"}, {"evidence", kSeedEvidence}});
  const Json current = desk.ok("get_phase_content", {{"session_id", session}, {"phase", "2"}});
  CHECK(current["artifacts_from_previous"]["1"]["function_count"] == 21);
  CHECK(current["checkpoint_criteria"].contains("evidence_schema"));
  const Json review = desk.ok("get_phase_content", {{"session_id", session}, {"phase", "1"}});
  CHECK_FALSE(review.contains("artifacts_from_previous"));
  CHECK(review["accepted_evidence"]["1"] == kSeedEvidence);
}

TEST_CASE("004-09, 004-10, P-3: a later phase is refused in the full form") {
  Desk desk(test::test_generation());
  const std::string session =
      desk.ok("start_workflow", {{"workflow_type", "test_generation_v3"}})["session_id"];
  for (const Json& answer :
       {desk.refused("get_phase_content", {{"session_id", session}, {"phase", "3"}}),
        desk.refused("get_task", {{"session_id", session}, {"phase", "3"}, {"task_number", "1"}}),
        desk.refused("complete_phase",
                     {{"session_id", session}, {"phase", "3"}, {"evidence", {{"done", true}}}})}) {
    CHECK(answer["error"] == "phase_sequence_violation");
    CHECK(answer["message"] == "Cannot access Phase 3");
    CHECK(answer["reason"] == "Currently on Phase 1");
    CHECK(answer["required_action"] == "Complete Phase 1 checkpoint first");
    CHECK(answer["violation_type"] == "attempted_skip");
    CHECK(answer["phase_gating_enforced"] == true);
    CHECK(answer["current_phase_content"]["phase"] == "1");
    CHECK(answer["progress"] == Json{{"completed", Json::array()}, {"current", "1"}, {"total", 3}});
    CHECK(answer.contains("artifacts_available"));
  }
}

TEST_CASE("004-26, 004-31, 004-43: a refusal names every field and how to mend it") {
  Desk desk(test::test_generation());
  const std::string session =
      desk.ok("start_workflow", {{"workflow_type", "test_generation_v3"}})["session_id"];
  const auto result = desk.house.call(
      "complete_phase",
      {{"session_id", session}, {"phase", "1"}, {"evidence", {{"functions_count", 21}}}});
  REQUIRE(result.is_error);
  const Json& answer = *result.structured;
  CHECK(answer["checkpoint_passed"] == false);
  CHECK(answer["error"] == "incomplete_checkpoint");
  CHECK(answer["message"] == "Complete checkpoint requirements to proceed");
  CHECK(answer["missing_evidence"].size() == 5);
  CHECK(answer["problems"][0]["did_you_send_it_as"] == "functions_count");
  CHECK(answer["required_format"]["required"].size() == 5);
  CHECK(answer["examples"].size() == 1);
  CHECK(answer["current_phase_content"]["phase"] == "1");
  for (const char* field :
       {"function_count", "method_count", "branch_count", "ast_command_output", "functions_list"}) {
    CHECK(result.text.find(field) != std::string::npos);
  }
  CHECK(result.text.find("did you mean \"function_count\"?") != std::string::npos);
}

TEST_CASE("wrong arguments are tool errors that name the argument and the next step") {
  Desk desk(test::test_generation());
  const std::string session =
      desk.ok("start_workflow", {{"workflow_type", "test_generation_v3"}})["session_id"];
  struct Row {
    const char* tool;
    Json arguments;
    const char* code;
    const char* word;
  };
  const Row rows[] = {
      {"start_workflow", Json::object(), "invalid_argument", "workflow_type"},
      {"start_workflow", {{"workflow_typ", "x"}}, "invalid_argument", "workflow_type"},
      {"start_workflow", {{"workflow_type", "nope"}}, "unknown_workflow", ""},
      {"start_workflow",
       {{"workflow_type", "test_generation_v3"}, {"target_file", "../../x"}},
       "",
       ""},
      {"start_workflow",
       {{"workflow_type", "test_generation_v3"}, {"options", 3}},
       "invalid_argument",
       "options"},
      {"get_workflow_state", {{"session_id", "nope"}}, "invalid_argument", "list_sessions"},
      {"get_workflow_state", {{"session_id", 5}}, "invalid_argument", "session_id"},
      {"get_phase_content", {{"session_id", session}, {"phase", 2.5}}, "invalid_argument", "2.5"},
      {"get_phase_content", {{"session_id", session}, {"phase", -1}}, "invalid_argument", "-1"},
      {"get_phase_content",
       {{"session_id", session}, {"phase", 1e30}},
       "invalid_argument",
       "1e+30"},
      {"get_phase_content", {{"session_id", session}, {"phase", ""}}, "invalid_argument", "phase"},
      {"get_phase_content",
       {{"session_id", session}, {"phase", "Phase 1"}},
       "invalid_argument",
       "did you mean \"1\"?"},
      {"get_phase_content",
       {{"session_id", session}, {"phase", "../1"}},
       "invalid_argument",
       "phase"},
      {"get_phase_content",
       {{"session_id", session}, {"phase", true}},
       "invalid_argument",
       "phase"},
      {"get_phase_content",
       {{"session_id", session}, {"phase", "99"}},
       "phase_sequence_violation",
       ""},
      {"get_task", {{"session_id", session}, {"phase", "1"}}, "invalid_argument", "task_number"},
      {"get_task",
       {{"session_id", session}, {"phase", "1"}, {"task_number", "7"}},
       "not_found",
       "1"},
      {"complete_phase", {{"session_id", session}, {"phase", "1"}}, "invalid_argument", "evidence"},
      {"complete_phase",
       {{"session_id", session}, {"phase", "1"}, {"evidence", "done"}},
       "invalid_argument",
       "object"},
      {"get_current_phase",
       {{"session_id", session}, {"cursor", "5-deadbeef"}},
       "invalid_cursor",
       "cursor"},
      {"list_sessions", {{"limit", 0}}, "invalid_argument", "limit"},
      {"list_sessions", {{"status", "opened"}}, "invalid_argument", "open"},
      {"list_sessions", {{"cursor", "nonsense"}}, "invalid_cursor", "cursor"},
      {"list_workflows", {{"cursor", "99"}}, "invalid_cursor", "cursor"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.tool);
    CAPTURE(row.arguments.dump());
    const auto result = desk.house.call(row.tool, row.arguments);
    REQUIRE_MESSAGE(result.is_error, result.text);
    if (*row.code != '\0') CHECK((*result.structured)["error"] == row.code);
    CHECK(result.text.find(row.word) != std::string::npos);
    CHECK((*result.structured)["required_action"].is_string());
  }
}

TEST_CASE("invariant 8: no representation of an answer is over a page, and pages give it all") {
  std::string long_text = "# Phase 1\n\n";
  for (int i = 0; i < 2000; ++i) {
    long_text += "- line " + std::to_string(i) + " with \"quotes\", tabs\tand \\ backslashes\n";
  }
  Desk desk(test::workflow(
      "long",
      {test::phase("1", {test::boolean("done")}), test::phase("2", {test::boolean("done")})},
      {{"1", long_text}}));
  const std::string session = desk.ok("start_workflow", {{"workflow_type", "long"}})["session_id"];
  std::string collected;
  Json arguments{{"session_id", session}};
  int pages = 0;
  while (pages < 100) {
    ++pages;
    const auto result = desk.house.call("get_current_phase", arguments);
    REQUIRE_FALSE(result.is_error);
    CHECK(result.text.size() <= base::limits::kPageBytesMax);
    CHECK(base::dump(*result.structured).size() <= base::limits::kPageBytesMax);
    const Json& content = (*result.structured)["phase_content"];
    collected += content["content"].get<std::string>();
    CHECK((*result.structured).contains("checkpoint_criteria") == (pages == 1));
    if (!content.contains("next_cursor")) break;
    arguments["cursor"] = content["next_cursor"];
  }
  CHECK(pages > 10);
  CHECK(collected == long_text);
  CHECK(desk.house
            .call("complete_phase",
                  {{"session_id", session}, {"phase", "1"}, {"evidence", Json::object()}})
            .text.size() <= base::limits::kPageBytesMax);
}

TEST_CASE("include_tasks gives the tasks' texts behind the phase's") {
  Desk desk(test::test_generation());
  const std::string session =
      desk.ok("start_workflow", {{"workflow_type", "test_generation_v3"}})["session_id"];
  const Json answer =
      desk.ok("get_current_phase", {{"session_id", session}, {"include_tasks", true}});
  CHECK(answer["phase_content"]["content"].get<std::string>().find("Text of phases/1/task-1.md") !=
        std::string::npos);
  CHECK(answer["phase_content"]["tasks"][0]["name"] == "Task of 1");
}

TEST_CASE("invariant 7: leniency is shown in every answer") {
  auto loaded = test::test_generation();
  loaded.workflow.phases[0].gate.asks_leniency = true;
  Desk desk(loaded);
  const std::string session =
      desk.ok("start_workflow", {{"workflow_type", "test_generation_v3"}})["session_id"];
  const Json state = desk.ok("get_workflow_state", {{"session_id", session}});
  CHECK(state["leniency"][0].get<std::string>().find("not honoured") != std::string::npos);

  test::House lenient(desk.folder.path() / "state2", desk.workflows, desk.clock, desk.ids,
                      gating::GatePolicy::as_written);
  const std::string loose =
      (*lenient.call("start_workflow", {{"workflow_type", "test_generation_v3"}})
            .structured)["session_id"];
  const auto passed = lenient.call(
      "complete_phase", {{"session_id", loose}, {"phase", "1"}, {"evidence", Json::object()}});
  REQUIRE_FALSE(passed.is_error);
  CHECK((*passed.structured)["lenient"] == true);
  CHECK((*passed.structured)["missing_evidence"].size() == 5);
  CHECK((*lenient.call("get_workflow_state", {{"session_id", loose}}).structured)["leniency"]
            .size() == 2);
}

TEST_CASE("a gate that waits for a person says stop, in no words that could be taken for leave") {
  auto loaded = test::test_generation();
  loaded.workflow.phases[0].gate.human_approval = true;
  Desk desk(loaded);
  const std::string session =
      desk.ok("start_workflow", {{"workflow_type", "test_generation_v3"}})["session_id"];
  const auto result = desk.house.call(
      "complete_phase", {{"session_id", session}, {"phase", "1"}, {"evidence", kSeedEvidence}});
  CHECK((*result.structured)["checkpoint_passed"] == false);
  CHECK((*result.structured)["waiting_for_person"] == true);
  CHECK((*result.structured)["status"] == "waiting");
  CHECK(result.text.starts_with("Not approved"));
  CHECK(result.text.find("STOP") != std::string::npos);
  CHECK(result.text.find("phasegate decide " + session) != std::string::npos);
  CHECK(result.text.find("phasegate approvers add") != std::string::npos);
  // The same again, other evidence, and asking how it stands say the same, and change nothing.
  const Json other = {{"function_count", 1}};
  for (const Json& evidence : {kSeedEvidence, other}) {
    const auto again = desk.house.call(
        "complete_phase", {{"session_id", session}, {"phase", "1"}, {"evidence", evidence}});
    CHECK((*again.structured)["checkpoint_passed"] == false);
    CHECK(again.text.find("STOP") != std::string::npos);
  }
}

}  // namespace
}  // namespace phasegate::mcp::tools
