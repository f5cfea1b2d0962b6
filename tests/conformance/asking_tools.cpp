// Elicitation and sampling, one question each. The handlers do not know the era: in the handshake
// revisions the server asks while the call waits, in the modern one the client comes back.
#include <string>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "tests/conformance/fixture.h"
#include "tests/conformance/pieces.h"

namespace phasegate::conformance {

using base::Json;
using mcp::protocol::CallContext;
using mcp::protocol::InputRequest;
using mcp::protocol::InputRequired;
using mcp::protocol::Outcome;
using mcp::protocol::ToolResult;

namespace {

constexpr std::string_view kKey = "answer";

InputRequired ask(InputRequest request) {
  return {{std::move(request)}, ""};
}

std::string action_and_content(const Json& answer) {
  const Json* const content = base::find_member(answer, "content");
  return "action=" + base::string_member(answer, "action").value_or("none") +
         ", content=" + (content == nullptr ? "{}" : base::dump(*content));
}

/// Shows a form and answers with what was entered.
Outcome<ToolResult> show_form(CallContext& context, std::string_view message,
                              std::string_view schema, std::string_view before) {
  if (const Json* const answer = answer_to(context.round(), kKey)) {
    return said(std::string(before) + action_and_content(*answer));
  }
  if (!context.peer().capabilities.elicitation_form) {
    return refused("This client cannot show a form: it did not declare elicitation");
  }
  return ask(form(kKey, message, schema));
}

Outcome<ToolResult> sample(const Json& arguments, CallContext& context) {
  const auto prompt = base::string_member(arguments, "prompt");
  if (!prompt) return refused("The argument prompt has to be a text");
  if (const Json* const answer = answer_to(context.round(), kKey)) {
    return said("LLM response: " + sampled_text(*answer));
  }
  if (!context.peer().capabilities.sampling) {
    return refused("This client has no model to ask: it did not declare sampling");
  }
  constexpr int kTokensMax = 100;
  return ask(sampling(kKey, *prompt, kTokensMax));
}

Outcome<ToolResult> elicit(const Json& arguments, CallContext& context) {
  const auto message = base::string_member(arguments, "message");
  if (!message) return refused("The argument message has to be a text");
  return show_form(context, *message,
                   R"({"type":"object","properties":{
                        "username":{"type":"string","description":"User's response"},
                        "email":{"type":"string","description":"User's email address"}},
                       "required":["username","email"]})",
                   "User response: ");
}

Outcome<ToolResult> elicit_defaults(const Json&, CallContext& context) {
  return show_form(context, "Please check what is filled in",
                   R"({"type":"object","properties":{
                        "name":{"type":"string","default":"John Doe"},
                        "age":{"type":"integer","default":30},
                        "score":{"type":"number","default":95.5},
                        "status":{"type":"string","enum":["active","inactive","pending"],
                                  "default":"active"},
                        "verified":{"type":"boolean","default":true}}})",
                   "Elicitation completed: ");
}

Outcome<ToolResult> elicit_enums(const Json&, CallContext& context) {
  return show_form(context, "Please choose",
                   R"({"type":"object","properties":{
                        "untitledSingle":{"type":"string",
                          "enum":["option1","option2","option3"]},
                        "titledSingle":{"type":"string","oneOf":[
                          {"const":"value1","title":"First Option"},
                          {"const":"value2","title":"Second Option"},
                          {"const":"value3","title":"Third Option"}]},
                        "legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],
                          "enumNames":["Option One","Option Two","Option Three"]},
                        "untitledMulti":{"type":"array","items":{"type":"string",
                          "enum":["option1","option2","option3"]}},
                        "titledMulti":{"type":"array","items":{"anyOf":[
                          {"const":"value1","title":"First Choice"},
                          {"const":"value2","title":"Second Choice"},
                          {"const":"value3","title":"Third Choice"}]}}}})",
                   "Elicitation completed: ");
}

}  // namespace

std::vector<FixtureTool> asking_tools() {
  return {
      {defined_waiting("test_sampling", "Has the client's model answer a prompt.",
                       R"({"type":"object","properties":{"prompt":{"type":"string",
                           "description":"What the model is asked"}},"required":["prompt"]})"),
       sample},
      {defined_waiting("test_elicitation", "Asks the user for a name and an address.",
                       R"({"type":"object","properties":{"message":{"type":"string",
                           "description":"What the user is told"}},"required":["message"]})"),
       elicit},
      {defined_waiting("test_elicitation_sep1034_defaults",
                       "Shows a form with a default value of each type."),
       elicit_defaults},
      {defined_waiting("test_elicitation_sep1330_enums",
                       "Shows a form with each kind of a choice."),
       elicit_enums},
  };
}

}  // namespace phasegate::conformance
