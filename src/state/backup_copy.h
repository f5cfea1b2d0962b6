#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "state/db.h"
#include "state/files.h"
#include "state/seal/seal.h"

namespace phasegate::state {

/// What a copy was found to hold when it was read back.
struct CopyFacts {
  std::int64_t schema_version = 0;
  std::string database_id;
  std::int64_t bytes = 0;
};

/// Copies the database behind `source` into `copy` as it is at this moment (SQLite's online backup;
/// others may write meanwhile), writes it through to the disk, and reads it back whole: integrity,
/// schema version and id are the source's. Throws StoreFailure (`damaged` if it does not verify, or
/// what SQLite says). O(size).
CopyFacts copy_verified(Db& source, UnfinishedFile& copy);

/// Reads one of our databases whole: SQLite's integrity check, and what it is. Throws StoreFailure
/// (`damaged`). O(size).
[[nodiscard]] CopyFacts facts_of(Db& db);

/// What an audit of a copy finds, sessions and all, a sentence each, at most
/// limits::kDamagedShownMax. Throws StoreFailure if the keys are missing. O(size).
[[nodiscard]] std::vector<std::string> audit_copy(Db& copy, Seal& seal,
                                                  const std::optional<std::int64_t>& anchor);

}  // namespace phasegate::state
