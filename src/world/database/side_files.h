#pragma once
#include <filesystem>
#include <string>

#include "base/result.h"

namespace phasegate::world {

/// What SQLite keeps beside a database (`-journal`, `-wal`, `-shm`) is regular files or nothing:
/// SQLite opens it in a way that waits for whoever opens the other end of a pipe, before any time
/// limit counts. `name` is how messages call the database. Errors: `not_a_file`. O(1).
[[nodiscard]] base::Result<void> usual_side_files(const std::filesystem::path& database,
                                                  const std::string& name);

}  // namespace phasegate::world
