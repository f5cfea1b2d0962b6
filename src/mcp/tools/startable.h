#pragma once
#include <optional>
#include <string_view>

#include "gating/engine/engine.h"

namespace phasegate::mcp::tools {

/// The prompt argument, and input, that becomes `target_file` of start_workflow.
inline constexpr std::string_view kTargetArgument = "target_file";

/// The workflow with this very id, if it can be started.
[[nodiscard]] std::optional<gating::engine::FoundWorkflow> find_startable(
    gating::engine::Engine& engine, std::string_view id);

}  // namespace phasegate::mcp::tools
