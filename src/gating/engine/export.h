#pragma once
#include <vector>

#include "base/json_fwd.h"
#include "gating/engine/engine.h"

namespace phasegate::gating::engine {

/// A run in the shape of 004's session file (004-27, 004-33, 004-37): `completed_phases`,
/// `phase_artifacts` and `checkpoints` by phase id, and under `metadata` what the seed has no place
/// for. Whole numbers stand for numeric phase ids where the seed has numbers.
[[nodiscard]] base::Json session_json(const RunView& view,
                                      const std::vector<ArtifactRow>& artifacts);

}  // namespace phasegate::gating::engine
