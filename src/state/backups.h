#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

/// Copies of a store's database: making, listing and clearing away.
namespace phasegate::state {

/// The folder of copies in a state folder.
inline constexpr std::string_view kBackupFolderName = "backups";
/// So many of the copies in it are kept …
inline constexpr std::size_t kBackupsKept = 10;
/// … and, beside them, so many of each of the other kinds.
inline constexpr std::size_t kOthersKept = 10;

/// A copy of the database.
struct StateBackup {
  enum class Kind {
    made,            ///< in the folder of copies; the oldest are cleared away
    doubtful,        ///< beside them, of a state that does not verify; cleared away by itself
    before_restore,  ///< beside them, made by a restore of what was there; cleared away by itself
    before_upgrade,  ///< state.db.before-vN, made by a migration; stays
    named,           ///< where somebody wanted it; stays, and is not listed
  };
  Kind kind = Kind::made;
  std::filesystem::path file;
  base::TimePoint made_at;
  std::int64_t bytes = 0;
};

/// What `back_up` did.
struct BackedUp {
  StateBackup backup;
  std::int64_t schema_version = 0;
  std::string database_id;
  std::int64_t sessions = 0;
  std::vector<std::string> cleared;  ///< names of older copies that were removed for it
  std::vector<std::string> doubts;   ///< what an audit finds; unless it is `named`: `doubtful`
};

/// Copies the database of the store in `folder` as it is at this moment; others may write meanwhile
/// and are not held up. The copy is read back whole, written through to the disk, and only then
/// gets its name: `to`, or if that is not given `backups/state-TIME.db` in the folder, or
/// `backups/before-restore-TIME.db` as `kind` says, of which the newest kBackupsKept or
/// kOthersKept stay. What does not verify is copied all the same, as `backups/doubtful-TIME.db`,
/// and takes no sound copy's place. Mode 0600. The database is neither migrated nor changed.
///
/// Errors: `not_found` (nothing is stored, or the folder of `to` does not exist), `exists`.
/// Throws StoreFailure as opening and reading do: `not_a_database`, `damaged`, `newer_version`,
/// `disk_full`, … O(size).
[[nodiscard]] base::Result<BackedUp> back_up(const std::filesystem::path& folder,
                                             const std::optional<std::filesystem::path>& to,
                                             base::TimePoint now,
                                             StateBackup::Kind kind = StateBackup::Kind::made);

/// The copies in the folder of copies and those of migrations, oldest first; what cannot be read is
/// left out. O(files).
[[nodiscard]] std::vector<StateBackup> list_backups(const std::filesystem::path& folder);

/// The newest copy that somebody made or that was made before an upgrade, which `restore latest`
/// means: what a restore has replaced is not it, nor what did not verify. Nullopt: there is none.
[[nodiscard]] std::optional<StateBackup> latest_backup(const std::filesystem::path& folder);

/// `20270115T080000123Z`, as the names of copies have it.
[[nodiscard]] std::string time_in_name(base::TimePoint time);
/// `state-TIME.db`, `doubtful-TIME.db` or `before-restore-TIME.db`.
[[nodiscard]] std::string backup_name(base::TimePoint time,
                                      StateBackup::Kind kind = StateBackup::Kind::made);
/// The time in such a name; nullopt for any other.
[[nodiscard]] std::optional<base::TimePoint> time_of_backup_name(
    std::string_view name, StateBackup::Kind kind = StateBackup::Kind::made);

}  // namespace phasegate::state
