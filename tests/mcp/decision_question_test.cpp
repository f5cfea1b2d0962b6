#include <variant>

#include "phases/decision.h"
#include "tests/mcp/desk.h"
#include "tests/support/client_call.h"

namespace phasegate::mcp::tools {
namespace {

using base::Json;
using phases::DecisionChannel;
using protocol::InputRequired;
using protocol::ToolResult;
using test::ClientCall;

phases::LoadedWorkflow two_phases(DecisionChannel channel) {
  phases::Phase first = test::phase("1", {test::boolean("done")});
  first.gate.decision = phases::standard_decision("Is it good?", "1", {});
  first.gate.decision->channel = channel;
  return test::workflow("two", {first, test::phase("2", {test::boolean("done")})});
}

/// An assistant whose client can ask its person.
struct Asking {
  test::Desk desk;
  std::string session;

  explicit Asking(DecisionChannel channel = DecisionChannel::approver)
      : desk(two_phases(channel)), session(desk.start("two")) {}

  [[nodiscard]] Json arguments(const Json& evidence = {{"done", true}}) const {
    return {{"session_id", session}, {"phase", "1"}, {"evidence", evidence}};
  }
  protocol::Outcome<ToolResult> call(ClientCall& call) {
    return desk.house.service().call_tool("complete_phase", arguments(), call.context());
  }
  InputRequired asked() {
    ClientCall first;
    return std::get<InputRequired>(call(first));
  }
  ToolResult answered(const InputRequired& question, const Json& response) {
    ClientCall retry({{"decision", response}}, question.state, "once", desk.clock.now().ms + 1000);
    return std::get<ToolResult>(call(retry));
  }
  [[nodiscard]] gating::RunState run() { return desk.house.engine().view(session)->run; }

  /// An approver decides in their terminal meanwhile.
  void decide(const std::string& option, const std::string& input = "") {
    const auto view = desk.house.engine().decision_view(session);
    REQUIRE(view.ok());
    gating::engine::DecideRequest request;
    request.run_id = session;
    request.decision = view->decision.id;
    request.option = option;
    request.input = input;
    request.shown_digest = view->digest;
    request.approver = gating::engine::Approver{"grace", {}, "f00d", {}, ""};
    request.channel = "terminal";
    REQUIRE(desk.house.engine().decide(request).ok());
  }
};

Json accepted(const std::string& choice, const std::string& input = "") {
  return {{"action", "accept"}, {"content", {{"choice", choice}, {"input", input}}}};
}

TEST_CASE("a client is shown once that a person decides, and where, evidence is kept before") {
  Asking bench;
  const InputRequired question = bench.asked();
  REQUIRE(bench.run().decision);
  REQUIRE(question.requests.size() == 1);
  const Json& params = *question.requests[0].params;
  const std::string message = params["message"];
  CHECK(message.find("phasegate decide " + bench.session) != std::string::npos);
  CHECK(message.find("\"Is it good?\"") != std::string::npos);
  CHECK_FALSE(params["requestedSchema"]["properties"].contains("choice"));
  ClientCall again;
  const auto second = std::get<ToolResult>(bench.call(again));
  CHECK((*second.structured)["waiting_for_person"] == true);
}

TEST_CASE("a server with a page names it, and leads a client there that can open addresses") {
  struct Row {
    const char* name;
    DecisionChannel channel;
    bool form;
    bool url;
    const char* mode;  ///< null: nobody is asked
  };
  for (const Row& row : {
           Row{"both", DecisionChannel::approver, true, true, "url"},
           Row{"addresses only", DecisionChannel::approver, false, true, "url"},
           Row{"forms only", DecisionChannel::approver, true, false, "form"},
           Row{"neither", DecisionChannel::approver, false, false, nullptr},
           Row{"the answer counts", DecisionChannel::client, true, true, "form"},
           Row{"it would count, and cannot be asked for", DecisionChannel::client, false, true,
               nullptr},
       }) {
    CAPTURE(row.name);
    Asking bench(row.channel);
    auto service =
        make_tools(bench.desk.house.engine(), {.root = "/project",
                                               .principal = "ada",
                                               .command_options = " --state /s",
                                               .decision_page = "http://127.0.0.1:8765/decide/"});
    ClientCall call;
    call.peer().capabilities = {.elicitation_form = row.form, .elicitation_url = row.url};
    const auto outcome = service->call_tool("complete_phase", bench.arguments(), call.context());
    const std::string page = "http://127.0.0.1:8765/decide/" + bench.run().decision->id;
    if (const auto* question = std::get_if<InputRequired>(&outcome)) {
      REQUIRE(row.mode != nullptr);
      const auto& request = question->requests[0];
      const bool leads = request.kind == protocol::InputRequest::Kind::elicitation_url;
      CHECK(leads == (std::string(row.mode) == "url"));
      if (leads) CHECK((*request.params)["url"] == page);
      CHECK(request.params->contains("requestedSchema") == !leads);
      // That it was opened decides nothing.
      ClientCall retry({{"decision", {{"action", "accept"}}}}, question->state, "once",
                       bench.desk.clock.now().ms + 1000);
      const auto after = std::get<ToolResult>(
          service->call_tool("complete_phase", bench.arguments(), retry.context()));
      CHECK((*after.structured)["waiting_for_person"] == true);
      CHECK((*after.structured)["decision"]["page"] == page);
      CHECK(after.text.find(page) != std::string::npos);
    } else {
      CHECK(row.mode == nullptr);
      const auto& result = std::get<ToolResult>(outcome);
      CHECK((*result.structured)["decision"]["page"] == page);
      CHECK(result.text.find("--state /s`. Or on this page, with their secret: " + page) !=
            std::string::npos);
    }
  }
}

TEST_CASE("no answer of a client decides, unless the author says so (invariant 7)") {
  const std::vector<Json> answers = {accepted("approve"),
                                     {{"action", "accept"}, {"content", {{"seen", true}}}},
                                     {{"action", "accept"}, {"content", {{"approved", true}}}},
                                     {{"action", "decline"}},
                                     {{"action", "cancel"}},
                                     {{"action", "accept"}},
                                     Json("approve"),
                                     Json(nullptr)};
  for (const Json& answer : answers) {
    CAPTURE(answer.dump());
    Asking bench;
    const InputRequired question = bench.asked();
    const auto before = bench.run();
    for (int i = 0; i < 3; ++i) {
      const ToolResult result = bench.answered(question, answer);
      CHECK((*result.structured)["checkpoint_passed"] == false);
      CHECK((*result.structured)["waiting_for_person"] == true);
      CHECK(result.text.find("STOP") != std::string::npos);
    }
    CHECK(bench.run() == before);
  }
}

TEST_CASE("an answer after the person has decided tells what they decided") {
  struct {
    const char* option;
    const char* input;
    bool passed;
    const char* phase;
  } const cases[] = {{"approve", "", true, "2"},
                     {"rework", "Name the file", false, "1"},
                     {"reject", "", false, "1"}};
  for (const auto& one : cases) {
    CAPTURE(std::string(one.option));
    Asking bench;
    const InputRequired question = bench.asked();
    bench.decide(one.option, one.input);
    const auto before = bench.run();
    const ToolResult result =
        bench.answered(question, {{"action", "accept"}, {"content", {{"seen", true}}}});
    CHECK((*result.structured)["checkpoint_passed"] == one.passed);
    CHECK((*result.structured)["current_phase"] == one.phase);
    CHECK(bench.run() == before);
    if (std::string(one.option) == "rework") {
      CHECK((*result.structured)["sent_back"]["said"] == "Name the file");
      CHECK(result.text.find("Name the file") != std::string::npos);
      CHECK(result.text.find("visit=2") != std::string::npos);
    }
    if (one.passed) CHECK(result.text.find("decided by approver:grace") != std::string::npos);
  }
}

TEST_CASE("channel: client takes the answer, records what it is worth, and once") {
  Asking bench(DecisionChannel::client);
  const InputRequired question = bench.asked();
  const Json& schema = (*question.requests[0].params)["requestedSchema"];
  CHECK(schema["properties"]["choice"]["enum"] == Json::array({"approve", "rework", "reject"}));
  CHECK(schema["required"] == Json::array({"choice"}));
  const ToolResult odd = bench.answered(question, accepted("aprove"));
  CHECK((*odd.structured)["error"] == "invalid_decision");
  CHECK((*odd.structured)["session_id"] == bench.session);
  CHECK(odd.is_error);
  CHECK(odd.text.find("STOP") != std::string::npos);
  const ToolResult result = bench.answered(question, accepted("approve"));
  CHECK((*result.structured)["checkpoint_passed"] == true);
  CHECK((*result.structured)["decided_by"] == Json::array({"client"}));
  CHECK(result.text.find("unauthenticated") != std::string::npos);
  CHECK(bench.run().partial);
  const auto before = bench.run();
  CHECK((*bench.answered(question, accepted("reject")).structured)["checkpoint_passed"] == true);
  CHECK(bench.run() == before);
}

TEST_CASE("what a client dismisses stays waiting, also where its word would count") {
  for (const char* action : {"decline", "cancel"}) {
    Asking bench(DecisionChannel::client);
    const ToolResult result = bench.answered(bench.asked(), {{"action", action}});
    CHECK((*result.structured)["waiting_for_person"] == true);
    CHECK(bench.run().decision);
  }
}

/// Work, a step that is a person's own, work.
phases::LoadedWorkflow around_a_person() {
  phases::Phase own = test::phase("ask", {});
  own.by_person = true;
  own.gate.decision = phases::standard_decision("Shall it go out?", "1", {});
  own.gate.decision->channel = DecisionChannel::client;
  return test::workflow("around", {test::phase("1", {test::boolean("done")}), own,
                                   test::phase("2", {test::boolean("done")})});
}

TEST_CASE("a step that is a person's own is asked about when it is entered, or called for") {
  for (const bool when_entered : {true, false}) {
    for (const std::string choice : {"approve", "rework", "reject", ""}) {
      CAPTURE(when_entered);
      CAPTURE(choice);
      test::Desk desk(around_a_person());
      const std::string session = desk.start("around");
      const auto complete = [&](ClientCall& call, const char* phase, const Json& evidence) {
        const Json arguments = {{"session_id", session}, {"phase", phase}, {"evidence", evidence}};
        return desk.house.service().call_tool("complete_phase", arguments, call.context());
      };
      // A client that cannot ask hands it over; another one calls for the step.
      if (!when_entered) {
        desk.ok("complete_phase",
                {{"session_id", session}, {"phase", "1"}, {"evidence", {{"done", true}}}});
      }
      const char* phase = when_entered ? "1" : "ask";
      const Json evidence = when_entered ? Json{{"done", true}} : Json::object();
      ClientCall first;
      const auto question = std::get<InputRequired>(complete(first, phase, evidence));
      ClientCall retry(
          {{"decision", choice.empty() ? Json{{"action", "decline"}} : accepted(choice, "words")}},
          question.state, "once", desk.clock.now().ms + 1000);
      const ToolResult result = std::get<ToolResult>(complete(retry, phase, evidence));
      const Json& told = *result.structured;
      const gating::RunState run = desk.house.engine().view(session)->run;
      if (choice == "approve") {
        CHECK(run.current_phase == "2");
        CHECK(told["checkpoint_passed"] == true);
      } else if (choice == "rework") {
        CHECK(run.current_phase == "1");
        CHECK(run.visit == 2);
        CHECK(told["sent_back"]["said"] == "words");
      } else if (choice == "reject") {
        CHECK(run.status == gating::RunStatus::rejected);
        CHECK(told["status"] == "rejected");
      } else {
        CHECK(run.decision);
        CHECK(result.text.find("STOP") != std::string::npos);
        // Asked once.
        ClientCall again;
        CHECK(std::holds_alternative<ToolResult>(complete(again, "ask", Json::object())));
      }
    }
  }
}

TEST_CASE("a session that begins with a person's own step asks when it is started, once") {
  for (const std::string choice : {"approve", "reject", ""}) {
    CAPTURE(choice);
    phases::Phase own = test::phase("ask", {});
    own.by_person = true;
    own.gate.decision = phases::standard_decision("Shall we begin?", "ask", {});
    own.gate.decision->channel = DecisionChannel::client;
    test::Desk desk(test::workflow("early", {own, test::phase("2", {test::boolean("done")})}));
    const Json arguments = {{"workflow_type", "early"}, {"target_file", "bay"}};
    const auto start = [&](ClientCall& call) {
      return desk.house.service().call_tool("start_workflow", arguments, call.context());
    };
    ClientCall first;
    const auto question = std::get<InputRequired>(start(first));
    const Json answer = choice.empty() ? Json{{"action", "cancel"}} : accepted(choice);
    ClientCall retry({{"decision", answer}}, question.state, "once", desk.clock.now().ms + 1000);
    const Json told = *std::get<ToolResult>(start(retry)).structured;
    const std::string session = told["session_id"];
    const gating::RunState run = desk.house.engine().view(session)->run;
    CHECK(run.current_phase == (choice == "approve" ? "2" : "ask"));
    CHECK(told["status"] == to_text(run.status));
    CHECK(run.decision.has_value() == choice.empty());
    if (!choice.empty()) continue;
    CHECK(told["waiting_for_person"] == true);
    ClientCall again;
    const Json resumed = *std::get<ToolResult>(start(again)).structured;
    CHECK(resumed["session_id"] == session);
    CHECK(resumed["resumed"] == true);
  }
}

TEST_CASE("the answer to a question about another session, or with a forged state, is refused") {
  Asking bench;
  const InputRequired question = bench.asked();
  bench.session = bench.desk.ok(
      "start_workflow", {{"workflow_type", "two"}, {"options", {{"new", true}}}})["session_id"];
  CHECK((*bench.answered(question, accepted("approve")).structured)["error"] == "invalid_argument");
  for (const char* state : {"", "{}", "nonsense", R"({"session":1})"}) {
    CAPTURE(std::string(state));
    InputRequired forged = question;
    forged.state = state;
    CHECK((*bench.answered(forged, accepted("approve")).structured)["error"] == "invalid_argument");
  }
  CHECK_FALSE(bench.run().decision);
}

TEST_CASE("work that was sent back is shown with what the person said, to a fresh context too") {
  Asking bench;
  (void)bench.asked();
  const std::string words = "Say which file.\n" + std::string(3000, 'x') + " the end";
  bench.decide("rework", words);
  const Json state = bench.desk.ok("get_workflow_state", {{"session_id", bench.session}});
  CHECK(state["sent_back"]["by"] == "approver:grace");
  const auto phase = bench.desk.house.call("get_current_phase", {{"session_id", bench.session}});
  CHECK(phase.text.find("the end") != std::string::npos);
  CHECK((*phase.structured)["phase_content"].dump().find("the end") != std::string::npos);
}

}  // namespace
}  // namespace phasegate::mcp::tools
