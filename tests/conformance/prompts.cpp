#include <string>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "tests/conformance/fixture.h"
#include "tests/conformance/pieces.h"

namespace phasegate::conformance {

using base::Json;
using mcp::protocol::Completion;
using mcp::protocol::CompletionRequest;
using mcp::protocol::Content;
using mcp::protocol::InputRequired;
using mcp::protocol::Outcome;
using mcp::protocol::Prompt;
using mcp::protocol::PromptArgument;
using mcp::protocol::PromptMessage;
using mcp::protocol::PromptResult;
using mcp::protocol::Round;

namespace {

constexpr std::string_view kSimple = "test_simple_prompt";
constexpr std::string_view kArguments = "test_prompt_with_arguments";
constexpr std::string_view kResource = "test_prompt_with_embedded_resource";
constexpr std::string_view kImage = "test_prompt_with_image";
constexpr std::string_view kAsking = "test_input_required_result_prompt";

PromptArgument argument(std::string name, std::string description) {
  return {std::move(name), "", std::move(description), true};
}

PromptMessage text(std::string words) {
  PromptMessage message;
  message.content.text = std::move(words);
  return message;
}

PromptResult with_resource(std::string uri) {
  PromptMessage embedded;
  embedded.content.kind = Content::Kind::resource;
  embedded.content.uri = std::move(uri);
  embedded.content.mime_type = "text/plain";
  embedded.content.text = "Embedded resource content for testing.";
  return {"", {std::move(embedded), text("Please process the embedded resource above.")}};
}

PromptResult with_image() {
  PromptMessage picture;
  picture.content.kind = Content::Kind::image;
  picture.content.data = kRedPixel;
  picture.content.mime_type = "image/png";
  return {"", {std::move(picture), text("Please analyze the image above.")}};
}

Outcome<PromptResult> ask_for_context(const Round& round) {
  const std::string context = accepted_text(round, "user_context", "context");
  if (!context.empty()) return PromptResult{"", {text("Work in this context: " + context)}};
  return InputRequired{{form("user_context", "What context should the prompt use?",
                             R"({"type":"object","properties":{"context":{"type":"string"}},
                                 "required":["context"]})")},
                       ""};
}

}  // namespace

std::vector<Prompt> fixture_prompts() {
  return {
      {std::string(kSimple), "", "A prompt without arguments.", {}, false},
      {std::string(kArguments),
       "",
       "A prompt with two arguments.",
       {argument("arg1", "First test argument"), argument("arg2", "Second test argument")},
       false},
      {std::string(kResource),
       "",
       "A prompt that embeds a resource.",
       {argument("resourceUri", "URI of the resource to embed")},
       false},
      {std::string(kImage), "", "A prompt with an image.", {}, false},
      {std::string(kAsking), "", "A prompt that asks before it is given.", {}, true},
  };
}

Outcome<PromptResult> get_fixture_prompt(std::string_view name, const Json& arguments,
                                         const Round& round) {
  const auto value = [&arguments](std::string_view member) {
    return base::string_member(arguments, member).value_or("");
  };
  if (name == kSimple) return PromptResult{"", {text("This is a simple prompt for testing.")}};
  if (name == kArguments) {
    return PromptResult{"",
                        {text("Prompt with arguments: arg1='" + value("arg1") + "', arg2='" +
                              value("arg2") + "'")}};
  }
  if (name == kResource) return with_resource(value("resourceUri"));
  if (name == kImage) return with_image();
  if (name == kAsking) return ask_for_context(round);
  return mcp::protocol::invalid_params("There is no prompt " + std::string(name));
}

Completion complete_fixture(const CompletionRequest& request) {
  Completion completion;
  if (request.of != CompletionRequest::Of::prompt || request.ref != kArguments) return completion;
  for (const std::string_view place : {"paris", "park", "party", "prague"}) {
    if (place.starts_with(request.value)) completion.values.emplace_back(place);
  }
  return completion;
}

}  // namespace phasegate::conformance
