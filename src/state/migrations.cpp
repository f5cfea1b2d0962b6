#include "state/migrations.h"

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

#include "base/limits.h"
#include "base/log.h"
#include "gating/engine/ports.h"
#include "state/backup_copy.h"
#include "state/db_failure.h"
#include "state/files.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using gating::engine::StoreFailure;
namespace {

std::int64_t version_of(Db& db) {
  return db.query_integer("PRAGMA user_version").value_or(0);
}

void apply(Db& db, const fs::path& folder, const Migration& migration) {
  db.execute(std::string(migration.sql));
  if (migration.then != nullptr) migration.then(db, folder);
  db.execute("PRAGMA user_version=" + std::to_string(migration.version));
}

/// A name for a backup that is not taken: an older backup may be the only good copy.
fs::path free_backup_name(const fs::path& file, int version) {
  const std::string base = file.string() + ".before-v" + std::to_string(version);
  for (std::size_t i = 1; i <= base::limits::kBackupsMax; ++i) {
    fs::path candidate = i == 1 ? base : base + "." + std::to_string(i);
    std::error_code failed;
    const bool taken = fs::exists(fs::symlink_status(candidate, failed));
    if (!taken) return candidate;
  }
  throw StoreFailure(base::Error{"io_error",
                                 "there are already " + std::to_string(base::limits::kBackupsMax) +
                                     " backups of the state from before version " +
                                     std::to_string(version),
                                 "move some of them away; nothing was changed", ""});
}

/// Copies the database beside itself. A second connection reads, so that ours can hold the write
/// lock and nothing changes between the copy and the first step.
fs::path back_up(const fs::path& file, std::int64_t from, int to) {
  UnfinishedFile unfinished(file);
  {
    Db reader(file, {.busy_ms = base::limits::kStoreBusyMs});
    copy_verified(reader, unfinished);
  }
  const fs::path name = free_backup_name(file, to);
  if (!give_name(unfinished.path(), name)) throw_errno(EEXIST, "cannot hold a backup");
  sync_folder(file.parent_path());
  base::log_info("state.backed_up", {{"file", name.filename().string()},
                                     {"from_version", std::to_string(from)},
                                     {"to_version", std::to_string(to)}});
  return name;
}

}  // namespace

std::int64_t require_version_at_most(Db& db, std::string_view file, int known) {
  const std::int64_t found = version_of(db);
  if (found <= known) return found;
  throw StoreFailure(base::Error{
      "newer_version",
      std::string(file) + " has schema version " + std::to_string(found) +
          ", this phasegate reads up to " + std::to_string(known),
      "use the newer phasegate that wrote it, or put a copy from before in its place with "
      "`phasegate restore FILE` (`phasegate backup --list` shows those here); the file was left as "
      "it is",
      ""});
}

int newest_version(std::span<const Migration> migrations) {
  return migrations.empty() ? 0 : migrations.back().version;
}

std::string read_database_id(Db& db) {
  return db.query_text("SELECT value FROM meta WHERE key = 'database_id'").value_or("");
}

void initialise(Db& db, const fs::path& folder, std::span<const Migration> migrations,
                std::string_view database_id, std::int64_t application_id) {
  Transaction transaction(db);
  db.execute("PRAGMA application_id=" + std::to_string(application_id));
  for (const Migration& migration : migrations) {
    apply(db, folder, migration);
    // Before later steps, which may seal something for this database.
    if (migration.version != 1) continue;
    db.prepare("INSERT INTO meta VALUES ('database_id', ?)").bind_all(database_id).run();
  }
  transaction.commit();
  db.use_write_ahead_log();
}

namespace {

/// A database whose tables are not those of the version that it gives is none that we have written.
void apply_to_existing(Db& db, const fs::path& file, std::int64_t found,
                       const Migration& migration) {
  try {
    apply(db, file.parent_path(), migration);
  } catch (const std::logic_error& problem) {
    throw StoreFailure(base::Error{
        "damaged",
        file.filename().string() + " says that it has schema version " + std::to_string(found) +
            ", but its tables are not those of that version (" + problem.what() + ")",
        "put the newest copy back with `phasegate restore latest`, `phasegate backup --list` shows "
        "those here; nothing was changed",
        ""});
  }
}

void migrate(Db& db, const fs::path& file, std::span<const Migration> migrations,
             bool is_backed_up) {
  const int newest = newest_version(migrations);
  const std::string name = file.filename().string();
  require_version_at_most(db, name, newest);
  bool backed_up = is_backed_up;
  // Worth nothing if the first step fails: the database is still what it holds.
  fs::path needless;
  for (const Migration& migration : migrations) {
    if (version_of(db) >= migration.version) continue;
    Transaction transaction(db);
    // Another process may have been quicker while this one waited for the lock.
    const std::int64_t found = require_version_at_most(db, name, newest);
    if (found >= migration.version) continue;
    if (!backed_up) {
      needless = back_up(file, found, newest);
      backed_up = true;
    }
    try {
      apply_to_existing(db, file, found, migration);
    } catch (const StoreFailure&) {
      std::error_code ignored;
      if (!needless.empty()) fs::remove(needless, ignored);
      throw;
    }
    transaction.commit();
    needless.clear();
    base::log_info("state.migrated", {{"to_version", std::to_string(migration.version)}});
  }
}

}  // namespace

void migrate(Db& db, const fs::path& file, std::span<const Migration> migrations) {
  migrate(db, file, migrations, false);
}

void migrate_copy(Db& db, const fs::path& file, std::span<const Migration> migrations) {
  migrate(db, file, migrations, true);
}

}  // namespace phasegate::state
