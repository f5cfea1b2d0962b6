#pragma once
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "gating/definition.h"
#include "gating/engine/ports.h"
#include "gating/run.h"

namespace phasegate::gating::engine {

/// What expressions and templates of the open phase's checks read; see CheckScene::scope.
/// `evidence` is an object. `checks` is there and empty.
[[nodiscard]] base::Json check_scope(const RunState& run, const base::Json& evidence,
                                     const std::vector<ArtifactRow>& artifacts);

/// Adds a result under `checks`.
void add_result(base::Json& scope, const CheckResult& result);

}  // namespace phasegate::gating::engine
