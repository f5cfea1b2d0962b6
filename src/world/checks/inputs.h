#pragma once
#include <string>
#include <vector>

#include "gating/run.h"
#include "world/checks/kinds.h"

namespace phasegate::world::checks {

/// See gating::engine::World::digests.
[[nodiscard]] std::vector<gating::FileDigest> file_digests(const std::vector<std::string>& paths,
                                                           const Place& place);
/// See gating::engine::World::inputs_digest.
[[nodiscard]] std::string inputs_digest(const Ask& ask);

}  // namespace phasegate::world::checks
