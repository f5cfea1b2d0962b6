#pragma once
#include <string_view>

#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/definition.h"

namespace phasegate::gating::engine {

/// The input of a start as the workflow's own definition takes it: a plain text is its member
/// `text`, and the target fills a member `target_file` that was left out. `given` null: none.
/// Errors: `invalid_input` with everything that is not as required, by name. Pure.
[[nodiscard]] base::Result<base::Json> taken_input(const Definition& definition,
                                                   const base::Json* given,
                                                   std::string_view target);

}  // namespace phasegate::gating::engine
