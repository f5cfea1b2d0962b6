#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "mcp/protocol/service.h"

namespace phasegate::test {

/// A service that offers everything the protocol knows. Tools: `ask` needs a person's yes and
/// counts it once, `work` reports progress and logs, `stall` waits until it is cancelled, `media`
/// answers with every kind of content.
class FakeService final : public mcp::protocol::Service {
 public:
  using Json = base::Json;

  FakeService() {
    for (const char* name : {"ask", "work", "stall", "media"}) {
      mcp::protocol::ToolDefinition tool;
      tool.name = name;
      tool.description = "A tool of the tests.";
      tool.input_schema = R"({"type":"object","properties":{"what":{"type":"string"}}})";
      tool.waits = tool.name != "media";
      tools_.push_back(std::move(tool));
    }
  }

  [[nodiscard]] mcp::protocol::Offer offer() const override {
    mcp::protocol::Offer offer;
    offer.tools_change = offer.prompts = offer.prompts_change = offer.resources = true;
    offer.resources_change = offer.resources_subscribe = true;
    offer.completions = offer.logging = true;
    return offer;
  }

  [[nodiscard]] std::shared_ptr<const std::vector<mcp::protocol::ToolDefinition>> tools() override {
    return {std::shared_ptr<void>(), &tools_};
  }

  [[nodiscard]] mcp::protocol::Outcome<mcp::protocol::ToolResult> call_tool(
      std::string_view name, const Json& arguments, mcp::protocol::CallContext& context) override {
    ++calls;
    if (name == "ask") return ask(arguments, context);
    mcp::protocol::ToolResult result;
    result.text = "done";
    if (name == "work") {
      context.progress(1, 2, "half");
      context.progress(1, 2, "not further");
      context.log(mcp::protocol::LogLevel::debug, "work", "chatter");
      context.log(mcp::protocol::LogLevel::warning, "work", Json{{"left", 1}});
    } else if (name == "stall") {
      while (context.wait(std::chrono::minutes(1))) {
      }
      result.text = "stopped";
    } else {
      using Kind = mcp::protocol::Content::Kind;
      result.text.clear();
      result.more = {{Kind::image, "", "aW1n", "image/png", "", ""},
                     {Kind::audio, "", "d2F2", "audio/wav", "", ""},
                     {Kind::resource, "inside", "", "text/plain", "test://in", ""},
                     {Kind::resource_link, "", "", "text/plain", "test://far", "far"}};
    }
    return result;
  }

  [[nodiscard]] mcp::protocol::Listed<mcp::protocol::Resource> resources(
      std::string_view cursor, mcp::protocol::CallContext&) override {
    mcp::protocol::Page<mcp::protocol::Resource> page;
    page.cache = {60'000, false};
    if (cursor.empty()) {
      page.items.push_back({"test://one", "one", "One", "The first.", "text/plain"});
      page.next_cursor = "second";
    } else if (cursor == "second") {
      page.items.push_back({"test://two", "two", "", "The second.", ""});
    } else {
      return mcp::protocol::invalid_params("unknown `cursor`");
    }
    return page;
  }

  [[nodiscard]] mcp::protocol::Listed<mcp::protocol::ResourceTemplate> resource_templates(
      std::string_view, mcp::protocol::CallContext&) override {
    mcp::protocol::Page<mcp::protocol::ResourceTemplate> page;
    page.items.push_back({"test://{id}", "any", "Any", "By id.", "text/plain"});
    return page;
  }

  [[nodiscard]] mcp::protocol::Outcome<mcp::protocol::ReadResult> read_resource(
      std::string_view uri, mcp::protocol::CallContext&) override {
    if (uri == "test://one") {
      return mcp::protocol::ReadResult{{{"test://one", "text/plain", "1", "", false}}, {0, false}};
    }
    if (uri == "test://bytes") {
      return mcp::protocol::ReadResult{{{"test://bytes", "image/png", "", "AA==", true}},
                                       {5, true}};
    }
    return mcp::protocol::resource_not_found(uri, "no such thing");
  }

  [[nodiscard]] bool can_subscribe(std::string_view uri, const mcp::protocol::Peer&) override {
    return uri.starts_with("test://");
  }

  [[nodiscard]] mcp::protocol::Listed<mcp::protocol::Prompt> prompts(
      std::string_view, mcp::protocol::CallContext&) override {
    mcp::protocol::Page<mcp::protocol::Prompt> page;
    page.items.push_back({"greet",
                          "Greet",
                          "Greets.",
                          {{"name", "Name", "Whom.", true}, {"how", "", "", false}},
                          false});
    return page;
  }

  [[nodiscard]] mcp::protocol::Outcome<mcp::protocol::PromptResult> get_prompt(
      std::string_view name, const Json& arguments, mcp::protocol::CallContext&) override {
    if (name != "greet") return mcp::protocol::invalid_params("unknown prompt");
    mcp::protocol::PromptResult result;
    result.description = "A greeting.";
    result.messages.push_back({true,
                               {mcp::protocol::Content::Kind::text,
                                "Hello " + arguments.value("name", ""), "", "", "", ""}});
    return result;
  }

  [[nodiscard]] std::variant<mcp::protocol::Completion, mcp::protocol::RpcError> complete(
      const mcp::protocol::CompletionRequest& request, mcp::protocol::CallContext&) override {
    asked = request;
    mcp::protocol::Completion completion;
    for (int i = 0; i < completions; ++i) completion.values.push_back("v" + std::to_string(i));
    return completion;
  }

  std::atomic<int> calls = 0;
  int completions = 3;
  mcp::protocol::CompletionRequest asked;
  std::vector<std::string> used;  ///< tokens of retries that counted

 private:
  mcp::protocol::Outcome<mcp::protocol::ToolResult> ask(const Json& arguments,
                                                        mcp::protocol::CallContext& context) {
    const mcp::protocol::Round& round = context.round();
    const Json* answer =
        round.responses == nullptr ? nullptr : base::find_member(*round.responses, "sure");
    if (answer == nullptr || round.once.empty()) {
      Json params = {{"message", "Sure?"},
                     {"requestedSchema",
                      {{"type", "object"}, {"properties", {{"yes", {{"type", "boolean"}}}}}}}};
      mcp::protocol::InputRequired required;
      required.requests.push_back({"sure", mcp::protocol::InputRequest::Kind::elicitation_form,
                                   std::make_shared<const Json>(std::move(params))});
      required.state = arguments.value("what", "");
      if (required.state.empty()) required.state = "nothing";
      return required;
    }
    const bool yes = base::string_member(*answer, "action") == "accept";
    used.push_back(round.once);
    mcp::protocol::ToolResult result;
    result.text = (yes ? "yes: " : "no: ") + round.state;
    result.is_error = !yes;
    return result;
  }

  std::vector<mcp::protocol::ToolDefinition> tools_;
};

}  // namespace phasegate::test
