#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"
#include "phases/workflow.h"

/// What a person is shown for a decision: `show`, a list of expressions (003-17). They read what
/// checks read, and a name by itself is the field of evidence of that name.
namespace phasegate::gating {

/// The first expression of the phase's decision that does not parse or names what cannot exist, as
/// an error (`invalid_decision`) at the decision, with the nearest name. `checks`: names of the
/// gate's checks. O(expressions × names).
[[nodiscard]] std::optional<base::Error> impossible_show(const phases::Workflow& workflow,
                                                         const phases::Phase& phase,
                                                         const std::vector<std::string>& checks);

/// Adds to a scope what a name by itself stands for: the field of this phase's evidence, else that
/// of the nearest phase before it that has handed one over. What the scope has stays. `scope` as
/// expressions have it, with `evidence` and `steps`. O(phases × fields).
void add_fields_by_name(base::Json& scope, const phases::Workflow& workflow,
                        const phases::Phase& phase);

}  // namespace phasegate::gating
