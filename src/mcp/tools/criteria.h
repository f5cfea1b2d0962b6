#pragma once
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "gating/engine/engine.h"
#include "mcp/tools/answer.h"

namespace phasegate::mcp::tools {

/// Puts `checkpoint_criteria` of a phase, {evidence_schema, example, checks, decision, source}
/// (ARCHITECTURE §5), into the answer; as text, one line per field with its rules, and the example.
/// Descriptions are shortened, then left out, where the whole would not leave room for the phase's
/// text; the rules themselves are never cut.
void add_criteria(Answer& answer, const gating::engine::PhaseView& phase);

/// For a refusal, which has described the fields already: `required_format`, the rules of `fields`
/// alone as a JSON Schema, and one whole example under `examples` (004-31).
void add_format(Answer& answer, const gating::engine::PhaseView& phase,
                const std::vector<std::string>& fields);

}  // namespace phasegate::mcp::tools
