#pragma once
#include <string>

#include "base/result.h"
#include "gating/engine/ports.h"
#include "state/db.h"

namespace phasegate::state {

/// One page of runs, newest change first. Cost: the rows of the page, whatever the number of runs,
/// and with `id_prefix` the runs that have it. Where both workflow and branch are named, also those
/// in between that have only one of them.
/// Errors: `invalid_cursor`.
[[nodiscard]] base::Result<gating::engine::RunPage> list_runs(
    Db& db, const gating::engine::RunQuery& query);

/// The statement behind a page, so that a test can ask SQLite how it would carry it out.
/// Parameters: 1 and 2 the cursor's time and run id, 3 the number of rows; as far as the query
/// names them 4 the workflow, 5 the branch, 6 and 7 the first id and the end of the ids.
[[nodiscard]] std::string page_sql(const gating::engine::RunQuery& query);

/// Checks a query's cursor without a database. Errors: `invalid_cursor`.
[[nodiscard]] base::Result<void> check_cursor(const gating::engine::RunQuery& query);

}  // namespace phasegate::state
