#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace phasegate::world::checks {

/// Those of `names` that do not occur in `text` literally and as whole words: what stands before
/// and after is no letter, digit, `_` or `$` where the name itself begins or ends with one. Each
/// once, in their order. An empty name never occurs. Errors (`too_large`): so many names with other
/// characters in so large a text that looking would take too long. Names that are identifiers cost
/// O(names + text) together, each other one O(text).
[[nodiscard]] base::Result<std::vector<std::string>> names_not_in(
    const std::vector<std::string>& names, std::string_view text);

}  // namespace phasegate::world::checks
