#pragma once
#include "gating/engine/engine.h"
#include "mcp/protocol/tool.h"

namespace phasegate::mcp::tools {

/// What is said of evidence that was handed over (004-25 … 004-31): passed, not as required, being
/// checked, with a person, or sent back.
[[nodiscard]] protocol::ToolResult complete_answer(const gating::engine::CompleteReply& reply);

}  // namespace phasegate::mcp::tools
