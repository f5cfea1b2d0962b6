#pragma once
#include <string>

#include "base/result.h"
#include "world/database/connection.h"

namespace phasegate::world::database {

/// Puts the whole of one database into another (SQLite's online backup) as one transaction of the
/// target, while others may write to the source: whoever reads the target sees all of it or what
/// was there before. Errors: those of describe().
[[nodiscard]] base::Result<void> copy_database(Connection& source, Connection& target);

/// A digest of the schema: all of sqlite_master, user_version and application_id.
[[nodiscard]] base::Result<std::string> schema_digest(Connection& connection);

/// Reads the whole database. Errors: `damaged`, with what SQLite's integrity check found first.
[[nodiscard]] base::Result<void> verify_integrity(Connection& connection);

}  // namespace phasegate::world::database
