#pragma once
#include "mcp/protocol/service.h"
#include "mcp/tools/handlers.h"

namespace phasegate::mcp::tools {

/// Hands over evidence. Where a person has to decide, the client is asked to show them so, once for
/// each decision; the answer is no decision, unless the workflow says `channel: client`
/// (ARCHITECTURE §6). Evidence is committed before anyone is asked, and a retry with an answer
/// hands nothing over again: it tells how the session stands then.
[[nodiscard]] protocol::Outcome<protocol::ToolResult> complete_phase(
    const Hands& hands, const Arguments& arguments, protocol::CallContext& context);

}  // namespace phasegate::mcp::tools
