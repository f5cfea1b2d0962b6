#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "phases/workflow.h"
#include "world/database/manifest.h"

namespace phasegate::world::database {

/// How a copy is to be made.
struct BackupRequest {
  std::string path;      ///< the database, below the root
  std::string run_id;    ///< the run that it is made for; may be empty
  std::size_t keep = 0;  ///< older copies beyond so many, this one included, are removed; 0: none
};

/// Copies a database to `backups/<stem>-<time>.db` beside it (003-61) while others may write to it:
/// copied under another name, read back whole and compared with the schema, synced, and only then
/// named and listed. A copy that was just made is never removed, and none that the list does not
/// hold. nullopt: there is no such database yet, and never was a copy of one. Errors: `not_found`
/// if there was one, `outside_root`, `not_a_file`, `not_a_database`, `damaged`, `list_damaged`,
/// `busy`, `changed`, `disk_full`, `io_error`, `read_only`; nothing half is left, and what an
/// interrupted process left is removed by the next copy. O(size of the database).
[[nodiscard]] base::Result<std::optional<Backup>> back_up(const std::filesystem::path& root,
                                                          const BackupRequest& request,
                                                          const base::Clock& clock);
/// The same for a database that a workflow protects.
[[nodiscard]] base::Result<std::optional<Backup>> back_up(const std::filesystem::path& root,
                                                          const phases::ProtectedDatabase& database,
                                                          const std::string& run_id,
                                                          const base::Clock& clock);

/// The copies of a database, oldest first.
struct BackupList {
  std::string folder;  ///< below the root
  std::vector<Backup> backups;
  std::string problem;  ///< why the list of copies cannot be read; empty: it can
};
/// Those of the list whose files are there, and files that are named like copies but are not in
/// it. Errors: those of find_database() and `unreadable`.
[[nodiscard]] base::Result<BackupList> list_backups(const std::filesystem::path& root,
                                                    std::string_view path);

/// `project-20270115T080000123Z.db` for `project.db`; `turn` above 1 makes names of one moment
/// differ.
[[nodiscard]] std::string backup_name(std::string_view database, base::TimePoint time, int turn);
/// Whether a name is one that backup_name() gives for this database.
[[nodiscard]] bool is_backup_name(std::string_view database, std::string_view name);

}  // namespace phasegate::world::database
