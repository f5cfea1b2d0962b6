#pragma once
#include <vector>

#include "gating/engine/engine.h"
#include "mcp/tools/answer.h"

namespace phasegate::mcp::tools {

/// Puts the accepted evidence of completed phases under `key` (004-29, 004-37), by phase id, within
/// limits::kArtifactBytesShownMax: what is too large is shortened and says so. The whole of it can
/// be read page by page with get_phase_content of that phase.
void add_artifacts(Answer& answer, std::string_view key,
                   const std::vector<gating::engine::ArtifactRow>& artifacts);

}  // namespace phasegate::mcp::tools
