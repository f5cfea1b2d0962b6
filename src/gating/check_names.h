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
  std::vector<std::string> bare;     ///< names beside the scope's own that may stand alone
};

/// Why a name cannot exist, and the nearest one that can.
struct NameProblem {
  std::string problem;
  std::string hint;
};

/// The first of `paths` that cannot exist there for an expression of this kind of check: a root
/// that no scope has, a field that the gate does not ask for, a secret field, a check or phase that
/// does not come earlier, a member that their results do not have. O(paths × names).
[[nodiscard]] std::optional<NameProblem> name_problem(const std::vector<NamePath>& paths,
                                                      const CheckPlace& place,
                                                      phases::CheckKind kind);

/// The same as an error about a check.
[[nodiscard]] std::optional<base::Error> impossible_name(const phases::Check& check,
                                                         const std::vector<NamePath>& paths,
                                                         const CheckPlace& place);

}  // namespace phasegate::gating
