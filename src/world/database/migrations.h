#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "world/database/backups.h"
#include "world/database/connection.h"

/// Changes of a project's schema: files `NNNN-name.sql`, each run once (003-67).
namespace phasegate::world::database {

/// One numbered file.
struct Migration {
  std::int64_t number = 0;
  std::string name;    ///< `0001-books.sql`
  std::string sql;     ///< with LF at the ends of lines and without a byte order mark
  std::string sha256;  ///< of `sql`
};

/// One that a database has had: a row of its table `phasegate_migrations`.
struct AppliedMigration {
  std::int64_t number = 0;
  std::string name;
  std::string sha256;
  std::string applied_at;
};

/// The migrations of a folder below the root, in order. Other files than `*.sql` and folders within
/// it are left alone. Errors: `invalid_migration` for a name that is none, a number that is missing
/// or there twice, an empty file, one that is not UTF-8 or holds NUL; `outside_root`, `not_found`,
/// `too_large`, `unreadable`. O(bytes).
[[nodiscard]] base::Result<std::vector<Migration>> read_migrations(
    const std::filesystem::path& root, std::string_view folder);

/// Those that are still to come. Errors: `migration_missing` and `migration_changed`, if what was
/// applied is not what the first files say. Pure.
[[nodiscard]] base::Result<std::vector<Migration>> pending_migrations(
    const std::vector<Migration>& files, const std::vector<AppliedMigration>& applied);

struct MigrateRequest {
  std::string path;    ///< the database; made by the first migration if it is not there
  std::string folder;  ///< of the migrations, below the root
  bool dry_run = false;
};

struct Migrated {
  std::vector<Migration> migrations;  ///< applied now; in a dry run: what would be
  std::int64_t before = 0;            ///< how many the database had had
  std::optional<Backup> backup;       ///< the database as it was
};

/// Applies what is still to come, after a copy of the database, each in a transaction of its own in
/// which it is also noted. Statements may create, alter and drop; they may not attach, load code,
/// end the transaction, or touch the notes, and they may leave no more broken foreign keys than
/// there were. A dry run only reads. Errors: those above, `migration_failed` with the file and
/// SQLite's words, those of back_up(). What was applied before the failing one stays.
[[nodiscard]] base::Result<Migrated> migrate(const std::filesystem::path& root,
                                             const MigrateRequest& request,
                                             const base::Clock& clock);

/// Runs the statements of a migration within the caller's transaction. Errors: `migration_failed`.
[[nodiscard]] base::Result<void> run_migration(Connection& connection, const Migration& migration);

}  // namespace phasegate::world::database
