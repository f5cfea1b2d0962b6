#pragma once
#include "mcp/protocol/service.h"
#include "mcp/tools/handlers.h"

namespace phasegate::mcp::tools {

/// Begins a session, or finds the open one. Where that waits for a person the client is asked as it
/// is by complete_phase, and a retry with an answer begins nothing: it tells how the session
/// stands.
[[nodiscard]] protocol::Outcome<protocol::ToolResult> start_workflow(
    const Hands& hands, const Arguments& arguments, protocol::CallContext& context);

}  // namespace phasegate::mcp::tools
