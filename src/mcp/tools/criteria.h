#pragma once
#include "base/json_fwd.h"
#include "gating/engine/engine.h"
#include "mcp/tools/answer.h"

namespace phasegate::mcp::tools {

/// `checkpoint_criteria` of a phase: {evidence_schema, example, checks, decision, source}
/// (ARCHITECTURE §5). Descriptions are shortened, then left out, where the whole would not leave
/// room for the phase's text; the rules themselves are never cut.
[[nodiscard]] base::Json criteria_json(const gating::engine::PhaseView& phase);

/// The same as text: one line per field with its rules and the line it comes from, and the example.
void add_criteria(Answer& answer, const gating::engine::PhaseView& phase);

}  // namespace phasegate::mcp::tools
