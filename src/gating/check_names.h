#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "gating/scope_paths.h"
#include "phases/workflow.h"

namespace phasegate::gating {

/// Where a check stands, for what it may name.
struct CheckPlace {
  const phases::Workflow& workflow;
  const phases::Phase& phase;
  std::vector<std::string> earlier;  ///< names of checks whose results it may read
  bool named = false;                ///< it is called and has arguments
};

/// The first of `paths` that cannot exist where the check stands, as an error with the nearest name
/// that can: a root that no scope has, a field that the gate does not ask for, a check or phase
/// that does not come earlier, a member that their results do not have. O(paths × names).
[[nodiscard]] std::optional<base::Error> impossible_name(const phases::Check& check,
                                                         const std::vector<NamePath>& paths,
                                                         const CheckPlace& place);

}  // namespace phasegate::gating
