#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "state/db.h"
#include "state/seal/seal.h"
#include "state/seal/store_mark.h"

/// The table tombstone: what stays of a session that was pruned. Each is sealed together with the
/// one before it, so that none can be changed, taken out or put in.
namespace phasegate::state {

struct Tombstone {
  std::int64_t place = 0;   ///< 1, 2, 3, … in the order of pruning
  std::int64_t number = 0;  ///< of the session; never given to another
  std::string id;
  std::string workflow;
  std::string status;
  bool partial = false;
  std::string target;
  base::TimePoint created_at;
  base::TimePoint ended_at;
  std::int64_t journal_head = 0;  ///< so many entries its history had …
  std::string chain_head;         ///< … and so their chain ended
  base::TimePoint pruned_at;
  std::string pruned_by;

  friend bool operator==(const Tombstone&, const Tombstone&) = default;
};

/// Writes the next tombstone within the caller's transaction; `place` is set here. The store's mark
/// must count it (StoreGuard::buried). Throws StoreFailure.
void put_tombstone(Db& db, Seal& seal, Tombstone tombstone);

/// The schema version that has the table.
inline constexpr std::int64_t kTombstonesSinceVersion = 6;

/// For who accepts a state from which sessions are missing: gives every number up to `last` that
/// has neither a session nor a tombstone one with the status `lost`. Part of the caller's
/// transaction. O(last).
void put_missing_tombstones(Db& db, Seal& seal, std::int64_t last, std::string_view who,
                            base::TimePoint now);

/// Those whose id begins with `prefix`, at most `limit`, by id. Not verified. O(log n + limit).
[[nodiscard]] std::vector<Tombstone> find_tombstones(Db& db, std::string_view prefix,
                                                     std::size_t limit);

/// Verifies all of them, from the first to the last that the store's mark knows of. Errors
/// (`damaged`): the first that does not follow from the one before it. O(n), bounded memory.
[[nodiscard]] base::Result<void> verify_tombstones(Db& db, Seal& seal, const StoreMark& mark);

/// The tombstone of the session that `id` or its beginning names, in the store of `folder`, which
/// is only read; nullopt: there is none, or there are several. Never throws for the store's sake.
[[nodiscard]] std::optional<Tombstone> find_pruned(const std::filesystem::path& folder,
                                                   std::string_view id);

}  // namespace phasegate::state
