#pragma once
#include <cstddef>
#include <vector>

#include "phases/workflow.h"

namespace phasegate::gating::engine {

/// A program of the project may put back what must not have changed: a weakened test runner that
/// says all is well and restores itself. So the checks of what changed (`protected`, `git`) that
/// stand behind the first check which may start a program are looked at before it, too. Their
/// positions in `due`, ascending. Left out are those that read results of other checks, which are
/// not there yet. `named`: the workflow has named checks, which expressions may call. Linear.
[[nodiscard]] std::vector<std::size_t> looked_at_first(const std::vector<const phases::Check*>& due,
                                                       bool named);

}  // namespace phasegate::gating::engine
