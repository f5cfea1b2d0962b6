#pragma once
#include <string_view>

#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/definition.h"

namespace phasegate::gating::engine {

/// The input of a start as the workflow's own definition takes it: a plain text is its member
/// `text`, the target fills a member `target_file` that was left out, and where phases come from a
/// document the member that names its folder is filled from `options`, else by the target. `given`
/// and `options` null: none.
/// Errors: `invalid_input` with everything that is not as required, by name. Pure.
[[nodiscard]] base::Result<base::Json> taken_input(const Definition& definition,
                                                   const base::Json* given,
                                                   const base::Json* options,
                                                   std::string_view target);

}  // namespace phasegate::gating::engine
