#pragma once
#include "gating/engine/engine.h"
#include "mcp/protocol/tool.h"
#include "mcp/tools/arguments.h"
#include "mcp/tools/tools.h"

/// One function per tool (start_workflow, complete_phase and cancel_workflow, which ask people,
/// have headers of their own); each reads checked arguments and makes one answer.
namespace phasegate::mcp::tools {

/// What a handler may use.
struct Hands {
  gating::engine::Engine& engine;
  const ToolContext& context;
  std::string principal;  ///< who asks
};

[[nodiscard]] protocol::ToolResult list_workflows(const Hands& hands, const Arguments& arguments);
[[nodiscard]] protocol::ToolResult list_sessions(const Hands& hands, const Arguments& arguments);
[[nodiscard]] protocol::ToolResult get_workflow_state(const Hands& hands,
                                                      const Arguments& arguments);
[[nodiscard]] protocol::ToolResult get_current_phase(const Hands& hands,
                                                     const Arguments& arguments);
[[nodiscard]] protocol::ToolResult get_phase_content(const Hands& hands,
                                                     const Arguments& arguments);
[[nodiscard]] protocol::ToolResult get_task(const Hands& hands, const Arguments& arguments);

}  // namespace phasegate::mcp::tools
