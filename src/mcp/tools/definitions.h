#pragma once
#include <string_view>
#include <vector>

#include "mcp/protocol/tool.h"

namespace phasegate::mcp::tools {

/// The tools as `tools/list` shows them, in a fixed order (ARCHITECTURE §7).
[[nodiscard]] const std::vector<protocol::ToolDefinition>& tool_definitions();

}  // namespace phasegate::mcp::tools
