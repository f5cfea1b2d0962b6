// Calls that need one answer or several before they can be completed, as state machines over the
// rounds of a call.
#include <string>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "tests/conformance/fixture.h"
#include "tests/conformance/pieces.h"

namespace phasegate::conformance {

using base::Json;
using mcp::protocol::CallContext;
using mcp::protocol::InputRequired;
using mcp::protocol::Outcome;
using mcp::protocol::ToolResult;

namespace {

constexpr std::string_view kNameForm =
    R"({"type":"object","properties":{"name":{"type":"string"}},"required":["name"]})";
constexpr std::string_view kOkForm =
    R"({"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]})";
constexpr std::string_view kColorForm =
    R"({"type":"object","properties":{"color":{"type":"string"}},"required":["color"]})";

Outcome<ToolResult> greet(const Json&, CallContext& context) {
  const std::string name = accepted_text(context.round(), "user_name", "name");
  if (!name.empty()) return said("Hello, " + name + "!");
  return InputRequired{{form("user_name", "What is your name?", kNameForm)}, ""};
}

Outcome<ToolResult> ask_model(const Json&, CallContext& context) {
  if (const Json* const answer = answer_to(context.round(), "capital_question")) {
    return said(sampled_text(*answer));
  }
  constexpr int kTokensMax = 100;
  return InputRequired{{sampling("capital_question", "What is the capital of France?", kTokensMax)},
                       ""};
}

std::string root_list(const Json& answer) {
  std::string text;
  const Json* const list = base::find_member(answer, "roots");
  if (list == nullptr || !list->is_array()) return text;
  for (const Json& root : *list) {
    text += (text.empty() ? "" : ", ") + base::string_member(root, "uri").value_or("?");
  }
  return text;
}

Outcome<ToolResult> list_roots(const Json&, CallContext& context) {
  if (const Json* const answer = answer_to(context.round(), "client_roots")) {
    return said("Roots: " + root_list(*answer));
  }
  return InputRequired{{roots("client_roots")}, ""};
}

/// Asks for a yes under a state that has to come back.
Outcome<ToolResult> confirm(CallContext& context, std::string_view done) {
  constexpr std::string_view kState = "asked";
  if (context.round().state == kState && accepted(context.round(), "confirm", "ok") != nullptr) {
    return said(std::string(done));
  }
  return InputRequired{{form("confirm", "Please confirm", kOkForm)}, std::string(kState)};
}

Outcome<ToolResult> keep_state(const Json&, CallContext& context) {
  return confirm(context, "state-ok: what was asked for is confirmed");
}

Outcome<ToolResult> guard_state(const Json&, CallContext& context) {
  return confirm(context, "Confirmed under a state that nobody has changed");
}

Outcome<ToolResult> several(const Json&, CallContext& context) {
  const std::string name = accepted_text(context.round(), "user_name", "name");
  const Json* const greeting = answer_to(context.round(), "greeting");
  const Json* const listed = answer_to(context.round(), "client_roots");
  if (!name.empty() && greeting != nullptr && listed != nullptr) {
    return said(sampled_text(*greeting) + " " + name + " at " + root_list(*listed));
  }
  constexpr int kTokensMax = 50;
  return InputRequired{
      {form("user_name", "What is your name?", kNameForm),
       sampling("greeting", "Generate a greeting", kTokensMax), roots("client_roots")},
      "three"};
}

Outcome<ToolResult> step_by_step(const Json&, CallContext& context) {
  // The name from the first step travels in the state: nothing is kept here in between.
  constexpr std::string_view kAskedName = "step1";
  constexpr std::string_view kAskedColor = "step2:";
  const std::string& state = context.round().state;
  if (state.starts_with(kAskedColor)) {
    const std::string color = accepted_text(context.round(), "step2", "color");
    if (!color.empty()) return said(state.substr(kAskedColor.size()) + " likes " + color);
  } else if (state == kAskedName) {
    const std::string name = accepted_text(context.round(), "step1", "name");
    if (!name.empty()) {
      return InputRequired{{form("step2", "Step 2: What is your favorite color?", kColorForm)},
                           std::string(kAskedColor) + name};
    }
  }
  return InputRequired{{form("step1", "Step 1: What is your name?", kNameForm)},
                       std::string(kAskedName)};
}

/// Asks for whatever the client can give, and for nothing else.
Outcome<ToolResult> by_capability(const Json&, CallContext& context) {
  const auto& capabilities = context.peer().capabilities;
  InputRequired required;
  constexpr int kTokensMax = 50;
  if (capabilities.elicitation_form) {
    required.requests.push_back(form("user_name", "What is your name?", kNameForm));
  }
  if (capabilities.sampling) {
    required.requests.push_back(sampling("greeting", "Generate a greeting", kTokensMax));
  }
  if (capabilities.roots) required.requests.push_back(roots("client_roots"));
  std::string answered;
  for (const auto& request : required.requests) {
    if (answer_to(context.round(), request.key) != nullptr) answered += " " + request.key;
  }
  if (!answered.empty()) return said("Answered:" + answered);
  if (required.requests.empty()) return said("This client can be asked for nothing");
  return required;
}

/// Needs a capability whether or not it was declared.
Outcome<ToolResult> need_sampling(const Json&, CallContext& context) {
  if (const Json* const answer = answer_to(context.round(), "needed")) {
    return said(sampled_text(*answer));
  }
  constexpr int kTokensMax = 50;
  return InputRequired{{sampling("needed", "Say something", kTokensMax)}, ""};
}

}  // namespace

std::vector<FixtureTool> round_tools() {
  return {
      {defined_waiting("test_input_required_result_elicitation", "Greets by a name it asks for."),
       greet},
      {defined_waiting("test_input_required_result_sampling", "Asks the client's model."),
       ask_model},
      {defined_waiting("test_input_required_result_list_roots", "Asks for the client's roots."),
       list_roots},
      {defined_waiting("test_input_required_result_request_state",
                       "Asks under a state that has to come back."),
       keep_state},
      {defined_waiting("test_input_required_result_multiple_inputs", "Asks three things at once."),
       several},
      {defined_waiting("test_input_required_result_multi_round", "Asks two things in turn."),
       step_by_step},
      {defined_waiting("test_input_required_result_tampered_state",
                       "Asks under a state that must not be changed."),
       guard_state},
      {defined_waiting("test_input_required_result_capabilities",
                       "Asks for what the client can give."),
       by_capability},
      {defined_waiting("test_streaming_elicitation", "Asks for a name on a stream."), greet},
      {defined_waiting("test_missing_capability", "Cannot do without the client's model."),
       need_sampling},
  };
}

}  // namespace phasegate::conformance
