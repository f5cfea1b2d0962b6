#include "mcp/tools/startable.h"

namespace phasegate::mcp::tools {

std::optional<gating::engine::FoundWorkflow> find_startable(gating::engine::Engine& engine,
                                                            std::string_view id) {
  for (auto& found : engine.workflows()) {
    if (found.id != id) continue;
    if (!engine.can_start(found)) return std::nullopt;
    return std::move(found);
  }
  return std::nullopt;
}

}  // namespace phasegate::mcp::tools
