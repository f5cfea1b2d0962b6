#include "mcp/tools/cancel_tool.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/run_block.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::engine::RunView;
using protocol::InputRequest;
using protocol::InputRequired;
using protocol::ToolResult;

namespace {

using Result = protocol::Outcome<ToolResult>;

constexpr std::string_view kConfirm = "confirm";
constexpr std::size_t kReasonBytesShown = 200;
constexpr std::size_t kTargetBytesShown = 120;
constexpr std::size_t kNameBytesShown = 80;
/// A client that brings no answer at all is asked so often altogether.
constexpr std::int64_t kAskedMax = 2;

/// What a question was about.
struct Question {
  std::string session;
  std::int64_t version = 0;
  std::int64_t asked = 1;  ///< how often
};

std::string to_state(const Question& question) {
  return base::dump(
      {{"session", question.session}, {"version", question.version}, {"asked", question.asked}});
}

std::optional<Question> question_from(const std::string& state) {
  const auto json = base::parse_json(state, {base::limits::kRequestStateBytesMax, 4});
  if (!json) return std::nullopt;
  const auto session = base::string_member(*json, "session");
  const auto version = base::integer_member(*json, "version");
  const auto asked = base::integer_member(*json, "asked");
  if (!session || !version || !asked) return std::nullopt;
  return Question{*session, *version, *asked};
}

std::string command_for(const Hands& hands, const std::string& session) {
  return "phasegate cancel " + session + hands.context.command_options;
}

/// What the person reads. Everything in it but the words is data, so it stands in quotes.
std::string message_for(const RunView& view, const std::string& reason) {
  const gating::RunState& run = view.run;
  std::string text = "End the session of workflow " +
                     base::in_quotes(base::shortened(run.workflow, kNameBytesShown)) + "?";
  if (!run.target.empty()) {
    text += " Target: " + base::in_quotes(base::shortened(run.target, kTargetBytesShown)) + ".";
  }
  text += " It is in phase " + run.current_phase + " (" + std::to_string(view.phase_index() + 1) +
          " of " + std::to_string(view.workflow().phases.size()) + ") and cannot go on afterwards.";
  if (!reason.empty()) {
    text += " Reason given by the assistant: " +
            base::in_quotes(base::shortened(reason, kReasonBytesShown));
  }
  return text;
}

InputRequired ask(const RunView& view, const std::string& reason, std::int64_t asked) {
  Json schema = Json::object();
  schema["type"] = "object";
  schema["properties"][std::string(kConfirm)] = {
      {"type", "boolean"},
      {"title", "End this session"},
      {"description", "Yes ends it. No leaves it as it is."}};
  schema["required"] = Json::array({kConfirm});
  Json params = Json::object();
  params["message"] = message_for(view, reason);
  params["requestedSchema"] = std::move(schema);
  InputRequest request;
  request.key = kConfirm;
  request.kind = InputRequest::Kind::elicitation_form;
  request.params = std::make_shared<const Json>(std::move(params));
  InputRequired required;
  required.requests.push_back(std::move(request));
  required.state = to_state({view.run.id, view.run.version, asked});
  return required;
}

ToolResult only_a_person(const Hands& hands, const RunView& view) {
  const std::string command = command_for(hands, view.run.id);
  Answer answer;
  Json& out = answer.structured();
  out["error"] = "confirmation_unavailable";
  out["message"] = "Only a person can end a session, and this client cannot ask one";
  out["cancelled"] = false;
  out["command"] = command;
  out["required_action"] = "Stop, and tell the person you work for to run the command themselves";
  answer.line(
      "Refused (confirmation_unavailable): Only a person can end a session, and this "
      "client cannot ask one.");
  answer.line("Nothing was cancelled. A person ends it with: " + command);
  answer.line("What to do: " + out["required_action"].get<std::string>() + ".");
  add_run(answer, view);
  return std::move(answer).finish(true);
}

/// Why an answer is no yes.
struct NoYes {
  std::string answer;   ///< `declined`, `no`, `none`
  std::string message;  ///< one sentence
};

NoYes no_yes(std::string_view action) {
  if (action == "decline") return {"declined", "The person declined to end the session"};
  if (action == "accept") return {"no", "The answer was not a yes"};
  return {"none",
          "Nobody answered: the question was dismissed, timed out, or was answered by the "
          "client itself"};
}

ToolResult not_cancelled(const Hands& hands, const RunView& view, const NoYes& why) {
  Answer answer;
  Json& out = answer.structured();
  out["cancelled"] = false;
  out["answer"] = why.answer;
  out["message"] = why.message;
  out["required_action"] = "Do not ask again. Go on with the session, or stop and say so";
  answer.line("Not cancelled: " + why.message + ".");
  answer.line("What to do: " + out["required_action"].get<std::string>() + ".");
  const std::string command = command_for(hands, view.run.id);
  out["command"] = command;
  answer.line("A person who wants to end it themselves runs: " + command);
  add_run(answer, view);
  return std::move(answer).finish();
}

ToolResult used_before() {
  return error_result({"already_used", "This answer was given before and counts once",
                       "see get_workflow_state for what came of it; do not ask again", ""});
}

/// Whether the responses hold an explicit yes, and else what they hold.
struct Response {
  bool yes = false;
  std::string action;
};

Response read_response(const Json& response) {
  Response read;
  read.action = base::string_member(response, "action").value_or("");
  const Json* content = base::find_member(response, "content");
  read.yes = read.action == "accept" && content != nullptr &&
             base::bool_member(*content, kConfirm).value_or(false);
  return read;
}

ToolResult end_session(const Hands& hands, const std::string& reason, const Question& question,
                       gating::engine::Once once) {
  gating::engine::CancelRequest request;
  request.run_id = question.session;
  request.reason = reason;
  request.actor = hands.principal;
  request.channel = "client";
  request.version = question.version;
  request.once = std::move(once);
  const auto ended = hands.engine.cancel(request);
  if (!ended) {
    base::Error error = ended.error();
    if (error.code == "already_used") return used_before();
    if (error.code == "stale_version") {
      error.message += "; nothing was cancelled";
      error.hint =
          "call get_workflow_state; ask for the cancellation again only if it is still wanted";
    }
    return error_result(error);
  }
  Answer answer;
  Json& out = answer.structured();
  out["cancelled"] = true;
  out["channel"] = "client";
  out["assurance"] = "unauthenticated";
  answer.line(
      "Cancelled: confirmed through the client (recorded as unauthenticated). Its evidence is "
      "kept; it cannot go on.");
  add_run(answer, *ended, {.workflow = true});
  return std::move(answer).finish();
}

/// A retry: what the person said, or did not.
Result decide(const Hands& hands, const std::string& reason, const RunView& view,
              protocol::CallContext& context) {
  const protocol::Round& round = context.round();
  const auto question = question_from(round.state);
  if (round.once.empty()) {
    return error_result({"invalid_argument", "An answer without the requestState of its question",
                         "call cancel_workflow without an answer, and send the requestState back",
                         ""});
  }
  if (!question || question->session != view.run.id) {
    return error_result({"invalid_argument", "This answer belongs to another question",
                         "call cancel_workflow without an answer", ""});
  }
  const gating::engine::Once once{round.once, round.once_until_ms};
  if (!gating::is_open(view.run.status)) {
    if (!hands.engine.use_once(once)) return used_before();
    return error_result({"run_ended",
                         "The session has ended meanwhile: " +
                             std::string(to_text(view.run.status)) + "; nobody's answer is needed",
                         "there is nothing to cancel; do not ask again", "session_id"});
  }
  const Json* response = round.responses ? base::find_member(*round.responses, kConfirm) : nullptr;
  const bool can_ask = context.peer().capabilities.elicitation_form;
  if (response == nullptr && question->asked < kAskedMax && can_ask) {
    // Of two questions about the same thing only the later one may be answered.
    if (!hands.engine.use_once(once)) return used_before();
    return ask(view, reason, question->asked + 1);
  }
  const Response read = response == nullptr ? Response{} : read_response(*response);
  if (read.yes) return end_session(hands, reason, *question, once);
  if (!hands.engine.use_once(once)) return used_before();
  return not_cancelled(hands, view, no_yes(read.action));
}

}  // namespace

Result cancel_workflow(const Hands& hands, const Arguments& arguments,
                       protocol::CallContext& context) {
  const std::string reason = arguments.text("reason");
  if (reason.size() > base::limits::kReasonBytesMax) {
    return error_result({"too_large",
                         "the reason has " + std::to_string(reason.size()) +
                             " bytes, the limit is " +
                             std::to_string(base::limits::kReasonBytesMax),
                         "say it in fewer words", "reason"});
  }
  const auto view = hands.engine.view(arguments.text("session_id"));
  if (!view) return error_result(view.error());
  if (!context.round().first()) return decide(hands, reason, *view, context);
  if (!gating::is_open(view->run.status)) {
    return error_result({"run_ended",
                         "The session has ended: " + std::string(to_text(view->run.status)),
                         "there is nothing to cancel", "session_id"});
  }
  if (!context.peer().capabilities.elicitation_form) return only_a_person(hands, *view);
  return ask(*view, reason, 1);
}

}  // namespace phasegate::mcp::tools
