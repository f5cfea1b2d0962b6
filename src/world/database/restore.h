#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "world/database/backups.h"

namespace phasegate::world::database {

/// What a restore did.
struct Restored {
  Backup from;
  std::optional<Backup> before;  ///< the copy of the database as it was
  std::string set_aside;  ///< a file that was no readable database: its name among the copies
};

/// The copy that is meant by `name`: its file name, a path that ends in it, or `latest`. Errors:
/// `not_found` with the nearest name, and those of list_backups().
[[nodiscard]] base::Result<Backup> find_backup(const std::filesystem::path& root,
                                               std::string_view path, std::string_view name);

/// Puts a copy back. The copy is verified first (its digest, if the list knows it, and its
/// contents); then the database as it is now is copied, or set aside if it cannot be read; then the
/// copy is written into the live file in one transaction, so that open connections see it, and
/// what is there then is read back whole. Errors: those of back_up(), `damaged` for a copy that
/// does not verify, `busy` if the database is in use; the database is then as it was. O(size).
[[nodiscard]] base::Result<Restored> restore(const std::filesystem::path& root,
                                             std::string_view path, std::string_view name,
                                             const base::Clock& clock);

}  // namespace phasegate::world::database
