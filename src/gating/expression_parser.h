#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gating/expression_tree.h"

namespace phasegate::gating {

/// Parses the expression language. Errors (`invalid_expression`) as for Expression::parse.
/// O(text), nesting bounded by limits::kExpressionDepthMax.
[[nodiscard]] base::Result<ExpressionTree> parse_expression(
    std::string_view text, const std::vector<std::string>& functions);

}  // namespace phasegate::gating
