#pragma once
#include "mcp/protocol/tool.h"
#include "mcp/tools/arguments.h"
#include "mcp/tools/handlers.h"

namespace phasegate::mcp::tools {

/// `search_standards` (004's sibling documents): the passages that answer a question best, from the
/// project's documents and, with a session, from what that has reached.
[[nodiscard]] protocol::ToolResult search_standards(const Hands& hands, const Arguments& arguments);

}  // namespace phasegate::mcp::tools
