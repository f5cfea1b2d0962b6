#include "mcp/tools/tools.h"

#include <map>
#include <stdexcept>
#include <variant>

#include "base/json.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/named_commands.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/arguments.h"
#include "mcp/tools/cancel_tool.h"
#include "mcp/tools/complete_tool.h"
#include "mcp/tools/completions.h"
#include "mcp/tools/decision_block.h"
#include "mcp/tools/definitions.h"
#include "mcp/tools/handlers.h"
#include "mcp/tools/prompts.h"
#include "mcp/tools/resources.h"
#include "mcp/tools/search_tool.h"
#include "mcp/tools/start_tool.h"

namespace phasegate::mcp::tools {
namespace {

using gating::engine::StoreFailure;
using protocol::CallContext;
using protocol::ToolResult;

using Handler = ToolResult (*)(const Hands&, const Arguments&);
/// Of a tool that may ask the person first.
using AskingHandler = protocol::Outcome<ToolResult> (*)(const Hands&, const Arguments&,
                                                        CallContext&);

struct Entry {
  std::variant<Handler, AskingHandler> handler;
  gating::JsonSchema arguments;
};

gating::JsonSchema compiled(const protocol::ToolDefinition& tool) {
  constexpr base::JsonLimits kOwnSchema{64U << 10U, 16};
  auto json = base::parse_json(tool.input_schema, kOwnSchema);
  if (!json) throw std::logic_error("the input schema of " + tool.name + " is not JSON");
  auto schema = gating::JsonSchema::compile(*json);
  if (!schema) throw std::logic_error(tool.name + ": " + base::to_text(schema.error()));
  return std::move(schema).value();
}

class Tools final : public protocol::Service {
 public:
  Tools(gating::engine::Engine& engine, ToolContext context)
      : engine_(engine), context_(std::move(context)) {
    static const std::map<std::string, std::variant<Handler, AskingHandler>, std::less<>>
        kHandlers = {{"list_workflows", list_workflows},
                     {"start_workflow", start_workflow},
                     {"list_sessions", list_sessions},
                     {"get_workflow_state", get_workflow_state},
                     {"get_current_phase", get_current_phase},
                     {"get_phase_content", get_phase_content},
                     {"get_task", get_task},
                     {"complete_phase", complete_phase},
                     {"search_standards", search_standards},
                     {"cancel_workflow", cancel_workflow}};
    for (const protocol::ToolDefinition& tool : tool_definitions()) {
      entries_.emplace(tool.name, Entry{kHandlers.at(tool.name), compiled(tool)});
    }
  }

  [[nodiscard]] protocol::Offer offer() const override { return offered(); }

  [[nodiscard]] std::shared_ptr<const std::vector<protocol::ToolDefinition>> tools() override {
    return offered_tools();
  }

  [[nodiscard]] protocol::Outcome<ToolResult> call_tool(std::string_view name,
                                                        const base::Json& arguments,
                                                        CallContext& context) override {
    const auto entry = entries_.find(name);
    if (entry == entries_.end()) {
      return error_result({"unknown_tool", "there is no such tool", "call tools/list", ""});
    }
    auto checked = Arguments::check(entry->second.arguments, arguments);
    if (!checked) return error_result(checked.error());
    const Hands hands = hands_of(context.peer());
    try {
      const auto& handler = entry->second.handler;
      protocol::Outcome<ToolResult> outcome =
          std::holds_alternative<Handler>(handler)
              ? protocol::Outcome<ToolResult>(std::get<Handler>(handler)(hands, *checked))
              : std::get<AskingHandler>(handler)(hands, *checked, context);
      if (auto* result = std::get_if<ToolResult>(&outcome)) {
        complete_for_people(*result, context_);
      }
      return outcome;
    } catch (const StoreFailure& failure) {
      return error_result(noted(failure, name));
    }
  }

  [[nodiscard]] protocol::Listed<protocol::Resource> resources(std::string_view cursor,
                                                               CallContext& context) override {
    return list_resources(hands_of(context.peer()), cursor);
  }
  [[nodiscard]] protocol::Listed<protocol::ResourceTemplate> resource_templates(
      std::string_view cursor, CallContext&) override {
    return list_resource_templates(cursor);
  }
  [[nodiscard]] protocol::Outcome<protocol::ReadResult> read_resource(
      std::string_view uri, CallContext& context) override {
    try {
      return tools::read_resource(hands_of(context.peer()), uri);
    } catch (const StoreFailure& failure) {
      return store_error(failure, "resources/read");
    }
  }
  [[nodiscard]] bool can_subscribe(std::string_view uri, const protocol::Peer& peer) override {
    try {
      return is_session_resource(hands_of(peer), uri);
    } catch (const StoreFailure& failure) {
      static_cast<void>(noted(failure, "resources/subscribe"));
      return false;
    }
  }

  [[nodiscard]] protocol::Listed<protocol::Prompt> prompts(std::string_view cursor,
                                                           CallContext& context) override {
    return list_prompts(hands_of(context.peer()), cursor);
  }
  [[nodiscard]] protocol::Outcome<protocol::PromptResult> get_prompt(
      std::string_view name, const base::Json& arguments, CallContext& context) override {
    return tools::get_prompt(hands_of(context.peer()), name, arguments);
  }
  [[nodiscard]] std::variant<protocol::Completion, protocol::RpcError> complete(
      const protocol::CompletionRequest& request, CallContext& context) override {
    try {
      return completion_of(hands_of(context.peer()), request);
    } catch (const StoreFailure& failure) {
      return store_error(failure, "completion/complete");
    }
  }

 private:
  [[nodiscard]] Hands hands_of(const protocol::Peer& peer) {
    return {engine_, context_, peer.principal.empty() ? context_.principal : peer.principal};
  }

  /// What a person may be told of a store that fails; names no place.
  [[nodiscard]] base::Error noted(const StoreFailure& failure, std::string_view what) const {
    base::log_error("store.failed", {{"during", std::string(what)}, {"cause", failure.what()}});
    base::Error error = failure.error();
    error.hint = base::with_options(error.hint, context_.command_options);
    return error;
  }
  [[nodiscard]] protocol::RpcError store_error(const StoreFailure& failure,
                                               std::string_view what) const {
    const base::Error error = noted(failure, what);
    return {protocol::error_code::kInternalError, base::to_text(error), ""};
  }

  gating::engine::Engine& engine_;
  ToolContext context_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace

protocol::Offer offered() {
  protocol::Offer offer;
  offer.prompts = true;
  offer.prompts_change = true;
  offer.resources = true;
  offer.resources_change = true;
  offer.resources_subscribe = true;
  offer.completions = true;
  return offer;
}

std::shared_ptr<const std::vector<protocol::ToolDefinition>> offered_tools() {
  // They are the program's own and live as long as it does.
  return {std::shared_ptr<void>(), &tool_definitions()};
}

std::unique_ptr<protocol::Service> make_tools(gating::engine::Engine& engine, ToolContext context) {
  return std::make_unique<Tools>(engine, std::move(context));
}

}  // namespace phasegate::mcp::tools
