#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gating/run.h"
#include "state/db.h"
#include "state/verified.h"

/// The table run: one row per run, its state and the columns that lists need.
namespace phasegate::state {

struct RunRow {
  std::int64_t number = 0;        ///< the row's key in the other tables
  std::int64_t journal_head = 0;  ///< the last number used in its journal
  gating::RunState run;
};

/// States by their digest.
using VerifiedRuns = Verified<gating::RunState>;

/// The run's row; nullopt if there is none. Throws StoreFailure (`damaged`, naming the run) if the
/// state is not what was stored, contradicts the columns, or its definition is missing.
[[nodiscard]] std::optional<RunRow> read_run(Db& db, std::string_view run_id,
                                             VerifiedRuns& verified);

/// The newest open run with this resume key.
[[nodiscard]] std::optional<std::string> find_open_run(Db& db, std::string_view resume_key);

/// Runs that are due, the one that has been for longest first, at most `limit`. By an index.
[[nodiscard]] std::vector<std::string> due_runs(Db& db, base::TimePoint now, std::size_t limit);

/// When the next run will be due after this moment; nullopt: none. By an index.
[[nodiscard]] std::optional<base::TimePoint> next_due_run(Db& db, base::TimePoint after);

/// Writes a new row whose journal will end with `journal_head`; returns its number.
std::int64_t insert_run(Db& db, const gating::RunState& run, std::int64_t journal_head);

/// Writes state, columns and journal head of an existing row.
void update_run(Db& db, const RunRow& row);

}  // namespace phasegate::state
