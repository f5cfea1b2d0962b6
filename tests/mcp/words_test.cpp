#include <doctest/doctest.h>

#include "base/json.h"
#include "base/limits.h"
#include "mcp/tools/tools.h"
#include "tests/mcp/desk.h"
#include "tests/mcp/small_workflows.h"

/// What answers say and how often they say it.
namespace phasegate::mcp::tools {
namespace {

using base::Json;
using test::Desk;

TEST_CASE("the rule stands in the first 200 characters of the instructions") {
  const std::string start(instructions().substr(0, 200));
  CHECK(start.find("done only when complete_phase says checkpoint_passed") != std::string::npos);
  CHECK(start.find("list_sessions") != std::string::npos);
  CHECK(instructions().size() < 1024);
}

// ── Refusals ─────────────────────────────────────────────────────────────────────────────────────

TEST_CASE("a refusal of evidence can be mended from itself, without the phase's text") {
  Desk desk(two_phases());
  const std::string session = desk.start("pair");
  const auto result = desk.house.call(
      "complete_phase",
      {{"session_id", session}, {"phase", "1"}, {"evidence", {{"done", true}, {"count", "four"}}}});
  REQUIRE(result.is_error);
  const Json& answer = *result.structured;
  CHECK_FALSE(answer.contains("checkpoint_criteria"));
  CHECK_FALSE(answer["current_phase_content"].contains("content"));
  CHECK(result.text.find("Text of phase 1") == std::string::npos);
  CHECK(answer["current_phase_content"]["phase"] == "1");
  CHECK(answer["current_phase_content"]["shown_by"] == "get_current_phase");
  CHECK_FALSE(answer["current_phase_content"].contains("content_digest"));
  // The rules of what is wrong, the whole example, and that all of it is to be sent.
  CHECK(answer["required_format"] == Json::parse(R"({"type":"object","required":["count"],
      "properties":{"count":{"type":"integer","minimum":1}}})"));
  CHECK(answer["examples"][0] == Json{{"done", true}, {"count", 1}});
  CHECK(answer["source"] == "phases/1/gate-definition.yaml");
  CHECK(answer["problems"][0]["required_by"] == "line 7");
  CHECK(result.text.find("then send every field") != std::string::npos);
  for (const char* fact : {"wanted integer, at least 1", "got a string (\"four\")", "[line 7]",
                           "phases/1/gate-definition.yaml", "{\"done\":true,\"count\":1}"}) {
    CAPTURE(fact);
    CHECK(result.text.find(fact) != std::string::npos);
  }
  CHECK_FALSE(
      desk.house
          .call("complete_phase",
                {{"session_id", session}, {"phase", "1"}, {"evidence", answer["examples"][0]}})
          .is_error);
}

TEST_CASE("evidence that is no object is told the rules of every field") {
  auto loaded = two_phases();
  Desk desk(loaded);
  test::House house(desk.folder.path() / "other", desk.workflows, desk.clock, desk.ids);
  const std::string session = desk.start("pair");
  // The tool's own schema refuses most of it; an empty object is the nearest that reaches the gate.
  const Json answer = desk.refused(
      "complete_phase", {{"session_id", session}, {"phase", "1"}, {"evidence", Json::object()}});
  CHECK(answer["required_format"]["properties"].size() == 2);
  CHECK(answer["missing_evidence"].size() == 2);
}

TEST_CASE("a phase's id in other words: the reached phase that was meant is named, no other") {
  auto loaded = test::workflow("named", {test::phase("1", {test::boolean("done")}),
                                         test::phase("plan_b", {test::boolean("done")}),
                                         test::phase("3", {test::boolean("done")})});
  Desk desk(loaded);
  const std::string session = desk.start("named");
  const auto meant = [&](const char* tool, const char* phase) {
    Json arguments{{"session_id", session}, {"phase", phase}};
    if (std::string(tool) == "get_task") arguments["task_number"] = "1";
    if (std::string(tool) == "complete_phase") arguments["evidence"] = Json::object();
    const auto result = desk.house.call(tool, arguments);
    REQUIRE_MESSAGE(result.is_error, result.text);
    CHECK((*result.structured)["error"] == "phase_sequence_violation");
    const std::string word = (*result.structured).value("did_you_mean", "");
    CHECK((result.text.find("Did you mean phase \"" + word + "\"?") != std::string::npos) ==
          !word.empty());
    return word;
  };
  for (const char* tool : {"get_phase_content", "get_task", "complete_phase"}) {
    CAPTURE(tool);
    CHECK(meant(tool, "phase-1") == "1");
    CHECK(meant(tool, "Phase_1") == "1");
    CHECK(meant(tool, "Plan-B") == "");
    CHECK(meant(tool, "phase-3") == "");
    CHECK(meant(tool, "3") == "");
  }
  desk.ok("complete_phase",
          {{"session_id", session}, {"phase", "1"}, {"evidence", {{"done", true}}}});
  CHECK(meant("get_phase_content", "Plan-B") == "plan_b");
  CHECK(meant("get_phase_content", "phase-plan_b") == "plan_b");
  CHECK(meant("get_phase_content", "phase-3") == "");
  CHECK(desk.refused("get_phase_content",
                     {{"session_id", session}, {"phase", "Phase 1"}})["required_action"] ==
        "did you mean \"1\"?");
}

// ── gate: none, outline, artifacts ───────────────────────────────────────────────────────────────

TEST_CASE("gate: none is said plainly, and {} goes on") {
  auto loaded = two_phases();
  loaded.workflow.phases[0].gate.requirements.clear();
  loaded.workflow.phases[0].gate.none = true;
  Desk desk(loaded);
  const auto started = desk.house.call("start_workflow", {{"workflow_type", "pair"}});
  REQUIRE_FALSE(started.is_error);
  const Json& answer = *started.structured;
  CHECK(answer["checkpoint_criteria"]["gate"] == "none");
  CHECK(answer["checkpoint_criteria"]["example"] == Json::object());
  CHECK(answer["next_call"].get<std::string>().find("evidence={}") != std::string::npos);
  CHECK(started.text.find("Gate: none, by its author's choice") != std::string::npos);
  CHECK_FALSE(answer.contains("leniency"));
  const Json passed =
      desk.ok("complete_phase",
              {{"session_id", answer["session_id"]}, {"phase", "1"}, {"evidence", Json::object()}});
  CHECK(passed["next_phase"] == "2");
  CHECK(passed["next_call"].get<std::string>().find("evidence={}") == std::string::npos);
}

TEST_CASE("outline: titles shows the way ahead, and only titles, without it nothing is shown") {
  auto loaded = two_phases();
  loaded.workflow.outline = true;
  Desk desk(loaded);
  const auto started = desk.house.call("start_workflow", {{"workflow_type", "pair"}});
  const Json titles =
      Json::array({{{"phase", "1"}, {"title", "Dig"}}, {{"phase", "2"}, {"title", "Plant"}}});
  CHECK((*started.structured)["phases"] == titles);
  CHECK(started.text.find("Phases: 1 Dig; 2 Plant") != std::string::npos);
  CHECK(started.text.find("Text of phase 2") == std::string::npos);
  const Json session{{"session_id", (*started.structured)["session_id"]}};
  CHECK(desk.ok("get_workflow_state", session)["phases"] == titles);
  CHECK_FALSE(desk.ok("get_current_phase", session).contains("phases"));
  CHECK(desk.refused("get_phase_content", {{"session_id", session["session_id"]},
                                           {"phase", "2"}})["error"] == "phase_sequence_violation");

  Desk hidden(two_phases());
  const auto quiet = hidden.house.call("start_workflow", {{"workflow_type", "pair"}});
  CHECK_FALSE((*quiet.structured).contains("phases"));
  CHECK(quiet.text.find("Plant") == std::string::npos);
}

TEST_CASE("an outline of very many phases is cut") {
  std::vector<phases::Phase> many;
  for (int i = 0; i < 60; ++i) many.push_back(test::phase(std::to_string(i), {test::boolean("d")}));
  auto loaded = test::workflow("many", std::move(many));
  loaded.workflow.outline = true;
  Desk desk(loaded);
  const auto started = desk.house.call("start_workflow", {{"workflow_type", "many"}});
  CHECK((*started.structured)["phases_shortened"] == true);
  CHECK((*started.structured)["phases"].size() == 30);
  CHECK(started.text.find("; …") != std::string::npos);
}

TEST_CASE("artifacts leave out what passing says already, a review does not") {
  Desk desk(test::workflow(
      "three",
      {test::phase("1", {test::boolean("done"), test::integer("count", 1)}),
       test::phase("2", {test::boolean("sure")}), test::phase("3", {test::boolean("end")})}));
  const std::string session = desk.start("three");
  const Json second = desk.ok(
      "complete_phase", {{"session_id", session}, {"phase", "1"}, {"evidence", kFirstEvidence}});
  CHECK(second["artifacts_available"] == Json{{"1", {{"count", 4}}}});
  const Json third = desk.ok(
      "complete_phase",
      {{"session_id", session}, {"phase", "2"}, {"evidence", {{"sure", true}, {"note", "n"}}}});
  CHECK(third["artifacts_available"] == Json{{"1", {{"count", 4}}}, {"2", {{"note", "n"}}}});
  CHECK(desk.ok("get_phase_content", {{"session_id", session},
                                      {"phase", "1"}})["accepted_evidence"]["1"] == kFirstEvidence);
  Desk boxes(test::workflow("boxes", {test::phase("1", {test::boolean("done")}),
                                      test::phase("2", {test::boolean("sure")})}));
  const std::string other = boxes.start("boxes");
  CHECK(boxes.ok("complete_phase", {{"session_id", other},
                                    {"phase", "1"},
                                    {"evidence", {{"done", true}}}})["artifacts_available"] ==
        Json{{"1", "as required"}});
}

TEST_CASE("invariant 8: everything at once still fits on a page") {
  std::vector<phases::Requirement> fields;
  for (int i = 0; i < 40; ++i) {
    fields.push_back(test::text("name_of_a_field_" + std::to_string(i)));
    fields.back().description = std::string(290, 'd');
  }
  std::vector<phases::Phase> many;
  many.push_back(test::phase("0", fields));
  for (int i = 1; i < 40; ++i) {
    many.push_back(test::phase(std::to_string(i), {test::boolean("done")}));
  }
  many[0].title = std::string(300, 't');
  many[0].purpose = std::string(300, 'p');
  std::string text;
  while (text.size() < 30000) text += "\"quoted\" \\ text\n";
  auto loaded = test::workflow("full", many, {{"0", text}});
  loaded.workflow.outline = true;
  for (int i = 0; i < 64; ++i) {
    loaded.workflow.input.push_back(test::optional(test::text("input_" + std::to_string(i))));
    loaded.workflow.input.back().description = std::string(290, 'i');
  }
  test::add_document(loaded, "core/none.md", "", "");
  Desk desk(loaded);
  Json input = Json::object();
  for (int i = 0; i < 100; ++i) input["inpud_" + std::to_string(i)] = std::string(200, '"');
  std::string session;
  for (int i = 0; i < 8; ++i) {
    const auto started = desk.house.call(
        "start_workflow", {{"workflow_type", "full"},
                           {"target_file", std::to_string(i) + std::string(200, 'x')},
                           {"input", input}});
    REQUIRE_MESSAGE(!started.is_error, started.text);
    CHECK(started.text.size() <= base::limits::kPageBytesMax);
    CHECK(base::dump(*started.structured).size() <= base::limits::kPageBytesMax);
    session = (*started.structured)["session_id"];
  }
  CHECK(desk.ok("start_workflow", {{"workflow_type", "full"}, {"target_file", "last"}})["also_open"]
            .size() == 5);
  for (const auto& [tool, more] : std::vector<std::pair<std::string, Json>>{
           {"list_workflows", nullptr},
           {"get_current_phase", {{"session_id", session}}},
           {"get_workflow_state", {{"session_id", session}}},
           {"get_phase_content", {{"session_id", session}, {"phase", "7"}}},
           {"complete_phase",
            {{"session_id", session}, {"phase", "0"}, {"evidence", Json::object()}}},
           {"get_current_phase", {{"session_id", session}}}}) {
    CAPTURE(tool);
    const auto answer = desk.house.call(tool, more.is_null() ? Json::object() : more);
    CHECK(answer.text.size() <= base::limits::kPageBytesMax);
    CHECK(base::dump(*answer.structured).size() <= base::limits::kPageBytesMax);
  }
}

TEST_CASE(
    "long evidence is shown shortly when a gate passes, longer to a fresh context, whole in a "
    "review") {
  Desk desk(test::workflow(
      "logs", {test::phase("1", {test::text("log")}), test::phase("2", {test::boolean("sure")})}));
  const std::string session = desk.start("logs");
  const Json evidence{{"log", std::string(1500, 'l')}};
  const Json passed =
      desk.ok("complete_phase", {{"session_id", session}, {"phase", "1"}, {"evidence", evidence}});
  CHECK(base::dump(passed["artifacts_available"]["1"]).size() < 300);
  CHECK(passed["artifacts_shortened"].get<std::string>().find("get_phase_content") !=
        std::string::npos);
  CHECK(desk.ok("get_current_phase", {{"session_id", session}})["artifacts_available"]["1"] ==
        evidence);
  CHECK(desk.ok("get_phase_content",
                {{"session_id", session}, {"phase", "1"}})["accepted_evidence"]["1"] == evidence);
}

TEST_CASE("evidence too long for one place stands once, behind the text of the review") {
  Desk desk(test::workflow(
      "logs", {test::phase("1", {test::text("log")}), test::phase("2", {test::boolean("sure")})}));
  const std::string session = desk.start("logs");
  const Json evidence{{"log", std::string(3000, 'l')}};
  desk.ok("complete_phase", {{"session_id", session}, {"phase", "1"}, {"evidence", evidence}});
  const Json review = desk.ok("get_phase_content", {{"session_id", session}, {"phase", "1"}});
  CHECK(review["phase_content"]["content"].get<std::string>().find(base::dump(evidence)) !=
        std::string::npos);
  CHECK(review.contains("artifacts_shortened"));
}

// ── Both representations ─────────────────────────────────────────────────────────────────────────

/// Every text in a structured answer that a reader needs; schemas are told in words.
void collect_texts(const Json& value, std::vector<std::string>& texts) {
  if (value.is_string()) texts.push_back(value);
  if (value.is_array()) {
    for (const Json& item : value) collect_texts(item, texts);
  }
  if (!value.is_object()) return;
  for (const auto& [name, member] : value.items()) {
    const bool schema = name == "evidence_schema" || name == "required_format";
    // Calls that the text writes with the cursor itself.
    if (!schema && name != "more") collect_texts(member, texts);
  }
}

TEST_CASE("what the structured answer says, the text says") {
  auto loaded = with_inputs();
  loaded.workflow.outline = true;
  loaded.workflow.phases[0].gate.asks_leniency = true;
  loaded.workflow.phases[0].purpose = "Make a hole";
  Desk desk(loaded);
  std::vector<mcp::protocol::ToolResult> answers;
  const auto call = [&](const std::string& tool, const Json& arguments) {
    answers.push_back(desk.house.call(tool, arguments));
    return *answers.back().structured;
  };
  call("list_workflows", Json::object());
  const Json started =
      call("start_workflow", {{"workflow_type", "pair"},
                              {"target_file", "a.py"},
                              {"input", {{"feature", "search"}, {"features", "x"}}}});
  const Json session{{"session_id", started["session_id"]}};
  const auto with = [&](const Json& more) {
    Json arguments = session;
    arguments.update(more);
    return arguments;
  };
  call("get_current_phase", session);
  call("get_current_phase", with({{"known_digest", started["content_digest"]}}));
  call("get_task", with({{"phase", "1"}, {"task_number", "1"}}));
  call("get_phase_content", with({{"phase", "phase-1"}}));
  call("complete_phase", with({{"phase", "1"}, {"evidence", {{"is_done", true}, {"count", "x"}}}}));
  call("get_workflow_state", session);
  call("complete_phase", with({{"phase", "1"}, {"evidence", kFirstEvidence}}));
  call("complete_phase", with({{"phase", "1"}, {"evidence", {{"done", false}}}}));
  call("get_phase_content", with({{"phase", "1"}}));
  call("complete_phase", with({{"phase", "2"}, {"evidence", {{"sure", true}}}}));
  call("list_sessions", {{"status", "all"}});
  CHECK(answers.size() == 13);
  for (const auto& answer : answers) {
    CHECK(answer.text.size() <= base::limits::kPageBytesMax);
    CHECK(base::dump(*answer.structured).size() <= base::limits::kPageBytesMax);
    std::vector<std::string> texts;
    collect_texts(*answer.structured, texts);
    for (std::string text : texts) {
      while (text.ends_with('\n')) text.pop_back();
      CAPTURE(answer.text);
      CAPTURE(text);
      CHECK(answer.text.find(text) != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace phasegate::mcp::tools
