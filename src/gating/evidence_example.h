#pragma once
#include "base/json_fwd.h"
#include "phases/workflow.h"

namespace phasegate::gating {

/// An object that satisfies evidence_schema(gate). A text whose pattern no generated example
/// matches gets a placeholder in angle brackets; see EvidenceGate::example_is_complete.
[[nodiscard]] base::Json evidence_example(const phases::Gate& gate);

}  // namespace phasegate::gating
