#pragma once
#include "gating/run.h"
#include "phases/workflow.h"

namespace phasegate::gating {

/// True if gates that opened lead from the first phase to the open one (invariant 2): each phase on
/// the way was accepted and counts, and went on with the following phase or with the one that a
/// decision chose. O(phases × accepted).
[[nodiscard]] bool gates_lead_here(const phases::Workflow& workflow, const RunState& run);

}  // namespace phasegate::gating
