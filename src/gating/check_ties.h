#pragma once
#include <optional>

#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/check_result.h"
#include "phases/workflow.h"

/// Fields that say what a check finds out (`check: NAME`; docs/checks.md, "What a check finds").
namespace phasegate::gating {

/// A tie that no evidence could ever satisfy, whatever the check finds: a text where it finds a
/// number, a number where it finds none. A boolean always fits: it says whether the check passed.
/// Errors (`invalid_check`, `where` = the field's line).
[[nodiscard]] std::optional<base::Error> impossible_tie(const phases::Requirement& field,
                                                        const phases::Check& check);

/// What a check found out for a field of this type; nullopt: nothing to compare with. A number of
/// tests is how many ran.
[[nodiscard]] std::optional<base::Json> found_for(const CheckResult& result,
                                                  const phases::Requirement& field);

}  // namespace phasegate::gating
