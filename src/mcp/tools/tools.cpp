#include "mcp/tools/tools.h"

#include <map>
#include <stdexcept>

#include "base/json.h"
#include "base/limits.h"
#include "base/log.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/arguments.h"
#include "mcp/tools/definitions.h"
#include "mcp/tools/handlers.h"

namespace phasegate::mcp::tools {
namespace {

using Handler = protocol::ToolResult (*)(const Hands&, const Arguments&);

struct Entry {
  Handler handler;
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
      : context_(std::move(context)), hands_{engine, context_} {
    static const std::map<std::string, Handler, std::less<>> kHandlers = {
        {"list_workflows", list_workflows},
        {"start_workflow", start_workflow},
        {"list_sessions", list_sessions},
        {"get_workflow_state", get_workflow_state},
        {"get_current_phase", get_current_phase},
        {"get_phase_content", get_phase_content},
        {"get_task", get_task},
        {"complete_phase", complete_phase}};
    for (const protocol::ToolDefinition& tool : tool_definitions()) {
      entries_.emplace(tool.name, Entry{kHandlers.at(tool.name), compiled(tool)});
    }
  }

  [[nodiscard]] protocol::Offer offer() const override { return {}; }

  [[nodiscard]] std::shared_ptr<const std::vector<protocol::ToolDefinition>> tools() override {
    // They are the program's own and live as long as it does.
    return {std::shared_ptr<void>(), &tool_definitions()};
  }

  [[nodiscard]] protocol::Outcome<protocol::ToolResult> call_tool(std::string_view name,
                                                                  const base::Json& arguments,
                                                                  protocol::CallContext&) override {
    const auto entry = entries_.find(name);
    if (entry == entries_.end()) {
      return error_result({"unknown_tool", "there is no such tool", "call tools/list", ""});
    }
    auto checked = Arguments::check(entry->second.arguments, arguments);
    if (!checked) return error_result(checked.error());
    try {
      return entry->second.handler(hands_, *checked);
    } catch (const gating::engine::StoreFailure& failure) {
      base::log_error("store.failed", {{"tool", std::string(name)}, {"cause", failure.what()}});
      base::Error error = failure.error();
      error.hint = with_options(error.hint, context_.command_options);
      return error_result(error);
    }
  }

 private:
  ToolContext context_;
  Hands hands_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace

std::unique_ptr<protocol::Service> make_tools(gating::engine::Engine& engine, ToolContext context) {
  return std::make_unique<Tools>(engine, std::move(context));
}

}  // namespace phasegate::mcp::tools
