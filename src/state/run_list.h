#pragma once
#include <string>

#include "base/result.h"
#include "gating/engine/ports.h"
#include "state/db.h"

namespace phasegate::state {

/// One page of runs, newest change first. Cost: the rows of the page, whatever the number of runs.
/// Errors: `invalid_cursor`.
[[nodiscard]] base::Result<gating::engine::RunPage> list_runs(
    Db& db, const gating::engine::RunQuery& query);

/// The statement behind a page, so that a test can ask SQLite how it would carry it out.
/// Parameters: the cursor's time and run id, the number of rows, the workflow (if the query names
/// one).
[[nodiscard]] std::string page_sql(const gating::engine::RunQuery& query);

/// Checks a query's cursor without a database. Errors: `invalid_cursor`.
[[nodiscard]] base::Result<void> check_cursor(const gating::engine::RunQuery& query);

}  // namespace phasegate::state
