#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gating/run.h"
#include "state/db.h"
#include "state/seal/seal.h"
#include "state/seal/store_guard.h"
#include "state/verified.h"

/// The table run: one row per run, its state and the columns that lists need.
namespace phasegate::state {

struct RunRow {
  std::int64_t number = 0;        ///< the row's key in the other tables
  std::int64_t journal_head = 0;  ///< the last number used in its journal
  std::string chain_head;         ///< the chain of that entry; empty: there is none
  std::string mac;                ///< the mark of the row as it was read
  gating::RunState run;
};

/// States by their digest, which the row's mark vouches for.
using VerifiedRuns = Verified<gating::RunState>;

/// The run's row; nullopt if there is none. Throws StoreFailure (`damaged`, naming the run) if the
/// row's mark does not hold, its journal does not end as the row says, the state is not what was
/// stored, contradicts the columns, or its definition is missing. `seal`: null for a database from
/// before histories were sealed, of which only the state's digest is verified. O(1) but for the
/// state's length.
[[nodiscard]] std::optional<RunRow> read_run(Db& db, Seal* seal, std::string_view run_id,
                                             VerifiedRuns& verified);

/// The newest open run with this resume key.
[[nodiscard]] std::optional<std::string> find_open_run(Db& db, std::string_view resume_key);

/// Runs that are due, the one that has been for longest first, at most `limit`. By an index.
[[nodiscard]] std::vector<std::string> due_runs(Db& db, base::TimePoint now, std::size_t limit);

/// When the next run will be due after this moment; nullopt: none. By an index.
[[nodiscard]] std::optional<base::TimePoint> next_due_run(Db& db, base::TimePoint after);

/// Writes a new row and its mark from number, state, journal head and chain head. Throws
/// StoreFailure (`damaged`) if somebody else has taken the number.
void insert_run(Db& db, StoreGuard& guard, const RunRow& row);

/// The same for an existing row, whose mark was `row.mac` until now.
void update_run(Db& db, StoreGuard& guard, const RunRow& row);

}  // namespace phasegate::state
