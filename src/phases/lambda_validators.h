#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "phases/validators.h"

namespace phasegate::phases {

/// Recognises the few well-known shapes of a Python lambda in a gate file: comparisons of `x` or
/// `len(x)` with a number (`x > 0`, `len(x) >= 3`, `0 <= x <= 100`), `x == 5`, `x == "word"`,
/// `x is True`, `x is False`, `bool(x)`, `x`. Further arguments take their values from `params`
/// (`lambda x, n: x >= n`). Nothing is ever executed.
/// Errors: `unknown_validator` for every other text.
[[nodiscard]] base::Result<std::vector<ValidatorRule>> rules_from_lambda(
    std::string_view text, const std::map<std::string, std::string>& params);

}  // namespace phasegate::phases
