#pragma once
#include <cstddef>
#include <map>
#include <string>

#include "phases/decision.h"

namespace phasegate::phases {

/// A decision's keys as a native file has them, each on lines `indent` columns deep: below
/// `decision:`, or at a step of `kind: decision`. Read again it is the same but for its line.
/// `ids`: what steps are called in the file, where that is not their id. Linear.
[[nodiscard]] std::string native_decision(const DecisionDemand& demand, std::size_t indent,
                                          const std::map<std::string, std::string>& ids);

}  // namespace phasegate::phases
