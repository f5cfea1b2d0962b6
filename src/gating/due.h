#pragma once
#include <optional>

#include "base/clock.h"
#include "gating/definition.h"
#include "gating/run.h"

/// What time alone does to a run: people are reminded of a decision that nobody makes, and told of
/// work that nobody goes on with. Time never opens a gate (invariant 4).
namespace phasegate::gating {

/// True for a run that could go on, is not being checked, and has not changed for
/// limits::kStalledAfterMs.
[[nodiscard]] bool is_stalled(const RunState& run, base::TimePoint now);

/// When the command Tick will next do something, if nothing else happens before; nullopt: never.
/// Nobody is reminded while the run is paused, and of a stalled run people are told once.
[[nodiscard]] std::optional<base::TimePoint> due_at(const Definition& definition,
                                                    const RunState& run);

}  // namespace phasegate::gating
