#pragma once
#include "base/json_fwd.h"
#include "phases/workflow.h"

namespace phasegate::gating {

/// The JSON Schema object of a gate's evidence, under JSON Schema's own names (ARCHITECTURE §5).
/// A required boolean carries `const: true` unless the author allowed false; a required text
/// without a rule of its own carries `pattern: \S`, so that blanks do not count as a text.
[[nodiscard]] base::Json evidence_schema(const phases::Gate& gate);

}  // namespace phasegate::gating
