#pragma once
#include <string>
#include <vector>

namespace phasegate::world::checks {

/// What of this process's environment the programs of checks are given: PATH, HOME, LANG and the
/// like, never what looks like a secret or steers a program's loading. In order of name.
[[nodiscard]] std::vector<std::string> filtered_environment();

}  // namespace phasegate::world::checks
