#pragma once
#include <string>

#include "base/json_fwd.h"
#include "gating/expression.h"

namespace phasegate::gating {

/// What the names of an expression stand for, for whoever is told that it is false:
/// `checks.n.value is 2, evidence.books is 3`. Names at most four, each value shortened; a name
/// that is not there is null. Empty: it reads none. `scope` as for Expression::evaluate.
/// O(values that are shown).
[[nodiscard]] std::string named_values(const Expression& expression, const base::Json& scope);

}  // namespace phasegate::gating
