#include "mcp/tools/decision_question.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/checks_block.h"
#include "mcp/tools/complete_answers.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::Reply;
using gating::engine::CompleteReply;
using gating::engine::DecisionView;
using protocol::InputRequest;
using protocol::InputRequired;
using protocol::ToolResult;

namespace {

constexpr std::string_view kKey = "decision";
constexpr std::size_t kPromptBytesShown = 500;
constexpr std::size_t kLabelBytesShown = 100;
/// Nobody is asked again about a decision that is younger than this.
constexpr std::int64_t kAskedForMs = 30LL * 24 * 3'600'000;

/// What a question was about.
struct Question {
  std::string session;
  std::string phase;
  std::string decision;
  std::string shown;  ///< digest
};

std::string to_state(const Question& question) {
  return base::dump({{"session", question.session},
                     {"phase", question.phase},
                     {"decision", question.decision},
                     {"shown", question.shown}});
}

std::optional<Question> question_from(const std::string& state) {
  const auto json = base::parse_json(state, {base::limits::kRequestStateBytesMax, 4});
  if (!json) return std::nullopt;
  const auto session = base::string_member(*json, "session");
  const auto phase = base::string_member(*json, "phase");
  const auto decision = base::string_member(*json, "decision");
  const auto shown = base::string_member(*json, "shown");
  if (!session || !phase || !decision || !shown) return std::nullopt;
  return Question{*session, *phase, *decision, *shown};
}

std::string about(const DecisionView& view) {
  return "Workflow " + base::in_quotes(base::shortened(view.view.run.workflow, kLabelBytesShown)) +
         " waits for a person's decision about phase " + view.phase->id + ": " +
         base::in_quotes(base::shortened(view.demand.prompt, kPromptBytesShown)) + ".";
}

/// Says where the person decides. What they answer here is not asked for.
Json pointing(const Hands& hands, const DecisionView& view) {
  Json schema = Json::object();
  schema["type"] = "object";
  schema["properties"]["seen"] = {{"type", "boolean"},
                                  {"title", "I have decided there, or will"},
                                  {"description", "No answer given here decides anything."}};
  Json params = Json::object();
  params["message"] = about(view) +
                      " It is decided in a terminal, with your secret: phasegate decide " +
                      view.view.run.id + hands.context.command_options +
                      " . Nothing that is answered here decides.";
  params["requestedSchema"] = std::move(schema);
  return params;
}

/// Leads to this server's page, which asks for the secret: the answer only says that it was opened.
Json leading(const Hands& hands, const DecisionView& view) {
  Json params = Json::object();
  params["mode"] = "url";
  params["message"] =
      about(view) +
      " The page shows all that it rests on, and asks for your secret. Nothing that "
      "is answered here decides.";
  params["url"] = hands.context.decision_page + view.decision.id;
  return params;
}

/// The choice itself, as every revision can show it.
Json choosing(const DecisionView& view) {
  Json options = Json::array();
  Json names = Json::array();
  for (const phases::DecisionOption& option : view.demand.options) {
    options.push_back(option.id);
    names.push_back(base::shortened(option.label, kLabelBytesShown));
  }
  Json schema = Json::object();
  schema["type"] = "object";
  schema["properties"]["choice"] = {{"type", "string"},
                                    {"title", "Decision"},
                                    {"enum", std::move(options)},
                                    {"enumNames", std::move(names)}};
  schema["properties"]["input"] = {
      {"type", "string"}, {"title", "What is to be said with it"}, {"description", "may be empty"}};
  schema["required"] = Json::array({"choice"});
  Json params = Json::object();
  params["message"] = about(view);
  params["requestedSchema"] = std::move(schema);
  return params;
}

/// How the session stands, as an answer about the phase that was handed over.
ToolResult as_it_stands(const Hands& hands, const Question& question) {
  CompleteReply reply;
  auto view = hands.engine.view(question.session);
  if (!view) return error_result(view.error());
  reply.view = std::move(view).value();
  reply.reply.phase = question.phase;
  const gating::RunState& run = reply.view.run;
  const gating::AcceptedPhase* accepted = run.find_accepted(question.phase);
  if (accepted != nullptr) {
    reply.reply.kind = Reply::Kind::accepted;
    reply.reply.accepted = *accepted;
  } else if (run.decision && run.decision->id == question.decision) {
    reply.reply.kind = Reply::Kind::waiting;
    reply.reply.checks = run.decision->checks;
    name_place(reply.reply.checks, hands.context.command_options);
  } else {
    reply.reply.kind = Reply::Kind::sent_back;
  }
  auto phase = hands.engine.current_phase(question.session);
  if (phase) {
    reply.phase = std::move(phase).value();
  } else {
    reply.unreadable = phase.error();
  }
  return complete_answer(reply);
}

/// Why an answer was not taken, and how the session stands all the same: also whoever has just
/// begun it is told which session that is, and that it waits.
ToolResult not_taken(const Hands& hands, const Question& question, base::Error error) {
  // What the error proposes is for the person; the assistant reads this.
  error.hint = "stop: this answer was not taken, and nobody is asked here again";
  ToolResult result = error_result(error);
  const ToolResult stands = as_it_stands(hands, question);
  Json structured = *stands.structured;
  structured.update(*result.structured);
  result.structured = std::make_shared<const Json>(std::move(structured));
  result.text += "\n" + stands.text;
  return result;
}

/// What a person chose in the client; nullopt: nothing.
struct Choice {
  std::string option;
  std::string input;
};

std::optional<Choice> choice_from(const protocol::Round& round) {
  const Json* response = round.responses ? base::find_member(*round.responses, kKey) : nullptr;
  if (response == nullptr || base::string_member(*response, "action") != "accept") {
    return std::nullopt;
  }
  const Json* content = base::find_member(*response, "content");
  if (content == nullptr) return std::nullopt;
  const auto option = base::string_member(*content, "choice");
  if (!option) return std::nullopt;
  return Choice{*option, base::string_member(*content, "input").value_or("")};
}

}  // namespace

std::optional<InputRequired> question_about(const Hands& hands, const gating::RunState& run,
                                            const std::string& phase,
                                            protocol::CallContext& context) {
  const protocol::ClientCapabilities& can = context.peer().capabilities;
  const bool has_page = can.elicitation_url && !hands.context.decision_page.empty();
  if (!run.decision || !(can.elicitation_form || has_page)) return std::nullopt;
  const auto view = hands.engine.decision_view(run.id);
  if (!view) return std::nullopt;
  const bool takes_it = phases::client_may_decide(view->demand);
  const bool leads = has_page && !takes_it;
  if (!leads && !can.elicitation_form) return std::nullopt;
  const std::int64_t until = view->decision.opened_at.ms + kAskedForMs;
  if (!hands.engine.use_once({"decision-asked:" + view->decision.id, until})) return std::nullopt;
  InputRequest request;
  request.key = kKey;
  request.kind = leads ? InputRequest::Kind::elicitation_url : InputRequest::Kind::elicitation_form;
  Json params = takes_it ? choosing(*view) : pointing(hands, *view);
  if (leads) params = leading(hands, *view);
  request.params = std::make_shared<const Json>(std::move(params));
  InputRequired required;
  required.requests.push_back(std::move(request));
  required.state = to_state({run.id, phase, view->decision.id, view->digest});
  return required;
}

ToolResult after_question(const Hands& hands, const std::optional<std::string>& session,
                          protocol::CallContext& context) {
  const protocol::Round& round = context.round();
  const auto question = question_from(round.state);
  if (!question || question->session != session.value_or(question->session)) {
    return error_result({"invalid_argument", "This answer belongs to another question",
                         "make the call again, without an answer", ""});
  }
  const auto choice = choice_from(round);
  const auto view = hands.engine.decision_view(question->session);
  const bool takes_it =
      view && view->decision.id == question->decision && phases::client_may_decide(view->demand);
  if (choice && takes_it) {
    gating::engine::DecideRequest request;
    request.run_id = question->session;
    request.decision = question->decision;
    request.option = choice->option;
    request.input = choice->input;
    request.shown_digest = question->shown;
    request.channel = "client";
    const auto decided = hands.engine.decide(request);
    if (!decided && decided.error().code != "decision_closed") {
      return not_taken(hands, *question, decided.error());
    }
  }
  return as_it_stands(hands, *question);
}

}  // namespace phasegate::mcp::tools
