#pragma once
#include "gating/expression.h"
#include "gating/expression_tree.h"

namespace phasegate::gating {

/// Evaluates a tree over a scope. Errors (`expression_failed`) as for Expression::evaluate. Work is
/// bounded by limits::kExpressionStepsMax; what named checks do is theirs to bound.
[[nodiscard]] base::Result<base::Json> evaluate_expression(const ExpressionTree& tree,
                                                           const base::Json& scope,
                                                           const CheckCaller& call);

}  // namespace phasegate::gating
