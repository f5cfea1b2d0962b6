#pragma once
#include "gating/engine/engine.h"
#include "mcp/protocol/service.h"
#include "mcp/tools/arguments.h"
#include "mcp/tools/handlers.h"

namespace phasegate::mcp::tools {

/// `cancel_workflow`: ends an open session once a person has confirmed it through the client. The
/// first round asks and changes nothing. A retry with an explicit yes ends the session as it was
/// when it was asked about; anything else is final, and no retry counts twice. A client that cannot
/// ask is told the command with which a person does it.
[[nodiscard]] protocol::Outcome<protocol::ToolResult> cancel_workflow(
    const Hands& hands, const Arguments& arguments, protocol::CallContext& context);

}  // namespace phasegate::mcp::tools
