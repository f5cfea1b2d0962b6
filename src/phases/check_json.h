#pragma once
#include "base/json_fwd.h"
#include "base/result.h"
#include "phases/check.h"

namespace phasegate::phases {

/// A check as it is kept with its workflow, its parameters as an object.
[[nodiscard]] base::Json to_json(const Check& check);
/// What a check is to look at: an object. The parameters were checked when the check was read; what
/// was damaged since is an error (`invalid_check`).
[[nodiscard]] base::Result<base::Json> parameters_of(const Check& check);

}  // namespace phasegate::phases
