#pragma once
#include "base/result.h"
#include "gating/engine/ports.h"
#include "state/db.h"

namespace phasegate::state {

/// One page of runs, newest change first. Cost: the rows of the page, whatever the number of runs.
/// Errors: `invalid_cursor`.
[[nodiscard]] base::Result<gating::engine::RunPage> list_runs(
    Db& db, const gating::engine::RunQuery& query);

/// Checks a query's cursor without a database. Errors: `invalid_cursor`.
[[nodiscard]] base::Result<void> check_cursor(const gating::engine::RunQuery& query);

}  // namespace phasegate::state
