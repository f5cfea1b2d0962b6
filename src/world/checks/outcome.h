#pragma once
#include <string>

#include "world/checks/kinds.h"

namespace phasegate::world::checks {

/// The beginnings of results, with what every result repeats of its check.
[[nodiscard]] gating::CheckResult passed(const Ask& ask, std::string subject = "");
/// What was looked at is not as wanted. `reason`: one sentence, what was wanted and what was there.
[[nodiscard]] gating::CheckResult failed(const Ask& ask, std::string reason, std::string hint = "");
/// It could not be looked at.
[[nodiscard]] gating::CheckResult unclear(const Ask& ask, std::string reason,
                                          std::string hint = "");

}  // namespace phasegate::world::checks
