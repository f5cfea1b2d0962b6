#pragma once
#include <vector>

#include "gating/engine/engine.h"
#include "mcp/protocol/tool.h"
#include "rag/finder.h"

namespace phasegate::mcp::tools {

/// What is said of evidence that was handed over (004-25 … 004-31): passed, not as required, being
/// checked, with a person, or sent back. `passages`: where documents speak of what is missing.
[[nodiscard]] protocol::ToolResult complete_answer(
    const gating::engine::CompleteReply& reply,
    const std::vector<rag::FoundPassage>& passages = {});

}  // namespace phasegate::mcp::tools
