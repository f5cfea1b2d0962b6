#pragma once
#include <string_view>

#include "base/limits.h"
#include "gating/engine/engine.h"
#include "mcp/tools/answer.h"

namespace phasegate::mcp::tools {

/// For answers whose reader has mostly handed over the earlier evidence itself; a fresh context
/// asks with get_current_phase, which shows more of it.
inline constexpr std::size_t kArtifactBytesAside = 800;

/// Puts the accepted evidence of completed phases under `key` (004-29, 004-37), by phase id, within
/// `bytes_max`: what is too large is shortened and says so. A field for which
/// its gate allows one value only is left out, since having passed says it; a phase with no other
/// field is `as required`. The whole of it can be read page by page with get_phase_content.
void add_artifacts(Answer& answer, std::string_view key, const gating::engine::PhaseView& phase,
                   std::size_t bytes_max = base::limits::kArtifactBytesShownMax);

}  // namespace phasegate::mcp::tools
