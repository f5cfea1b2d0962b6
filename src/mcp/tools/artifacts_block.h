#pragma once
#include <string_view>

#include "gating/engine/engine.h"
#include "mcp/tools/answer.h"

namespace phasegate::mcp::tools {

/// Puts the accepted evidence of completed phases under `key` (004-29, 004-37), by phase id, within
/// limits::kArtifactBytesShownMax: what is too large is shortened and says so. A field for which
/// its gate allows one value only is left out, since having passed says it; a phase with no other
/// field is `as required`. The whole of it can be read page by page with get_phase_content.
void add_artifacts(Answer& answer, std::string_view key, const gating::engine::PhaseView& phase);

}  // namespace phasegate::mcp::tools
