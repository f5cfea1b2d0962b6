#include <variant>

#include "tests/mcp/desk.h"
#include "tests/support/client_call.h"

namespace phasegate::mcp::tools {
namespace {

using base::Json;
using protocol::InputRequired;
using protocol::ToolResult;
using test::ClientCall;

struct Cancelling {
  test::Desk desk{test::test_generation()};
  std::string session = desk.ok("start_workflow", {{"workflow_type", "test_generation_v3"},
                                                   {"target_file", "a\".py"}})["session_id"];
  Json arguments{{"session_id", session}, {"reason", "not needed any more"}};

  protocol::Outcome<ToolResult> call(ClientCall& call) {
    return desk.house.service().call_tool("cancel_workflow", arguments, call.context());
  }
  InputRequired asked() {
    ClientCall first;
    return std::get<InputRequired>(call(first));
  }
  /// The retry with this answer.
  protocol::Outcome<ToolResult> answered(const InputRequired& question, const Json& response,
                                         const std::string& once = "once") {
    ClientCall retry({{"confirm", response}}, question.state, once, desk.clock.now().ms + 1000);
    return call(retry);
  }
  std::string status() {
    return desk.ok("get_workflow_state", {{"session_id", session}})["status"];
  }
};

const Json kYes = {{"action", "accept"}, {"content", {{"confirm", true}}}};

TEST_CASE("cancel_workflow: a person is asked first, and asking changes nothing") {
  Cancelling bench;
  const auto before = bench.desk.house.engine().view(bench.session)->run;
  const InputRequired question = bench.asked();
  CHECK(bench.desk.house.engine().view(bench.session)->run == before);
  REQUIRE(question.requests.size() == 1);
  CHECK(question.requests[0].key == "confirm");
  CHECK(question.requests[0].kind == protocol::InputRequest::Kind::elicitation_form);
  const Json& params = *question.requests[0].params;
  const std::string message = params["message"];
  CHECK(message.find("\"test_generation_v3\"") != std::string::npos);
  CHECK(message.find("\"a\\\".py\"") != std::string::npos);
  CHECK(message.find("phase 1 (1 of 3)") != std::string::npos);
  CHECK(message.find("\"not needed any more\"") != std::string::npos);
  CHECK(params["requestedSchema"]["properties"].size() == 1);
  CHECK(params["requestedSchema"]["properties"]["confirm"]["type"] == "boolean");
  CHECK(params["requestedSchema"]["required"] == Json::array({"confirm"}));
}

TEST_CASE(
    "cancel_workflow: an explicit yes ends the session, once, and is journalled as what it is") {
  Cancelling bench;
  const InputRequired question = bench.asked();
  const auto ended = std::get<ToolResult>(bench.answered(question, kYes));
  REQUIRE_MESSAGE(!ended.is_error, ended.text);
  CHECK((*ended.structured)["cancelled"] == true);
  CHECK((*ended.structured)["status"] == "cancelled");
  CHECK((*ended.structured)["assurance"] != "");
  CHECK(bench.status() == "cancelled");
  const auto last = bench.desk.house.engine().journal(bench.session, 0, 100)->back().entry;
  CHECK(last.kind == "run_cancelled");
  CHECK(last.actor == "ada");
  const Json data = Json::parse(last.data);
  CHECK(data["reason"] == "not needed any more");
  CHECK(data["channel"] == "client");
  CHECK(data["assurance"] == "unauthenticated");

  const auto again = std::get<ToolResult>(bench.answered(question, kYes));
  CHECK(again.is_error);
  CHECK((*again.structured)["error"] == "already_used");
  const auto late = std::get<ToolResult>(bench.answered(question, kYes, "another"));
  CHECK((*late.structured)["error"] == "run_ended");
  ClientCall fresh;
  CHECK((*std::get<ToolResult>(bench.call(fresh)).structured)["error"] == "run_ended");
}

TEST_CASE("cancel_workflow: whatever is no explicit yes is final and leaves the session as it is") {
  const std::vector<std::pair<Json, std::string>> cases = {
      {{{"action", "decline"}}, "declined"},
      {{{"action", "decline"}, {"content", {{"confirm", true}}}}, "declined"},
      {{{"action", "cancel"}}, "none"},
      {{{"action", "accept"}}, "no"},
      {{{"action", "accept"}, {"content", {{"confirm", false}}}}, "no"},
      {{{"action", "accept"}, {"content", {{"confirm", "true"}}}}, "no"},
      {{{"action", "accept"}, {"content", {{"confirm", 1}}}}, "no"},
      {{{"action", "accept"}, {"content", "yes"}}, "no"},
      {{{"action", "Accept"}, {"content", {{"confirm", true}}}}, "none"},
      {{{"action", true}}, "none"},
      {Json("accept"), "none"},
      {Json(nullptr), "none"}};
  for (const auto& [response, answer] : cases) {
    CAPTURE(response.dump());
    Cancelling bench;
    const InputRequired question = bench.asked();
    const auto result = std::get<ToolResult>(bench.answered(question, response));
    CHECK((*result.structured)["cancelled"] == false);
    CHECK((*result.structured)["answer"] == answer);
    CHECK(result.text.find("Do not ask again") != std::string::npos);
    CHECK(bench.status() == "active");
    // The same retry with another answer comes too late.
    const auto changed = std::get<ToolResult>(bench.answered(question, kYes));
    CHECK((*changed.structured)["error"] == "already_used");
    CHECK(bench.status() == "active");
  }
}

TEST_CASE("cancel_workflow: a session that has changed since the question is not ended") {
  Cancelling bench;
  const InputRequired question = bench.asked();
  static_cast<void>(bench.desk.refused(
      "complete_phase",
      {{"session_id", bench.session}, {"phase", "1"}, {"evidence", Json::object()}}));
  const auto result = std::get<ToolResult>(bench.answered(question, kYes));
  CHECK(result.is_error);
  CHECK((*result.structured)["error"] == "stale_version");
  CHECK(bench.status() == "active");
}

TEST_CASE("cancel_workflow: without an answer it is asked once more, and then never") {
  Cancelling bench;
  const InputRequired question = bench.asked();
  ClientCall empty(Json{{"other", kYes}}, question.state, "once", bench.desk.clock.now().ms + 1000);
  const auto second = std::get<InputRequired>(bench.call(empty));
  CHECK(second.requests.size() == 1);
  CHECK(second.state != question.state);
  ClientCall still(Json::object(), second.state, "two", bench.desk.clock.now().ms + 1000);
  const auto result = std::get<ToolResult>(bench.call(still));
  CHECK((*result.structured)["cancelled"] == false);
  CHECK(bench.status() == "active");
  // The answer to the second question counts, too.
  const auto ended = std::get<ToolResult>(bench.answered(second, kYes, "three"));
  CHECK((*ended.structured)["cancelled"] == true);
}

TEST_CASE("cancel_workflow: answers to nothing and to other sessions' questions are refused") {
  Cancelling bench;
  const InputRequired question = bench.asked();
  const std::string other =
      bench.desk.ok("start_workflow", {{"workflow_type", "test_generation_v3"}})["session_id"];
  for (const std::string& state : {std::string(), std::string("{}"), std::string("nonsense"),
                                   R"({"session":")" + other + R"(","version":1,"asked":1})"}) {
    CAPTURE(state);
    ClientCall retry({{"confirm", kYes}}, state, "once", bench.desk.clock.now().ms + 1000);
    const auto result = std::get<ToolResult>(bench.call(retry));
    CHECK(result.is_error);
    CHECK(bench.status() == "active");
  }
  bench.arguments["session_id"] = other;
  const auto swapped = std::get<ToolResult>(bench.answered(question, kYes));
  CHECK(swapped.is_error);
  CHECK(bench.status() == "active");
}

TEST_CASE("cancel_workflow: a client that cannot ask is told the command for a person") {
  Cancelling bench;
  auto service =
      make_tools(bench.desk.house.engine(), {.root = "/project",
                                             .principal = "ada",
                                             .command_options = " --root /project --state '/s t'"});
  ClientCall call;
  call.peer().capabilities.elicitation_form = false;
  const auto result =
      std::get<ToolResult>(service->call_tool("cancel_workflow", bench.arguments, call.context()));
  CHECK(result.is_error);
  const std::string command =
      "phasegate cancel " + bench.session + " --root /project --state '/s t'";
  CHECK((*result.structured)["command"] == command);
  CHECK(result.text.find(command) != std::string::npos);
  CHECK(result.text.find("Stop") != std::string::npos);
  CHECK(bench.status() == "active");
}

TEST_CASE("cancel_workflow: bad arguments are refused before anybody is asked") {
  Cancelling bench;
  for (const Json& arguments :
       {Json::object(), Json{{"session_id", 7}}, Json{{"session_id", "x"}},
        Json{{"session_id", "00000000-0000-4000-8000-000000000000"}},
        Json{{"session_id", bench.session}, {"reason", std::string(5000, 'r')}},
        Json{{"session_id", bench.session}, {"reson", "x"}}}) {
    CAPTURE(arguments.dump().substr(0, 80));
    bench.arguments = arguments;
    ClientCall call;
    CHECK(std::get<ToolResult>(bench.call(call)).is_error);
  }
  CHECK(bench.status() == "active");
}

}  // namespace
}  // namespace phasegate::mcp::tools
