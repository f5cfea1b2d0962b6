#include "world/database/migrations.h"

#include <algorithm>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "base/text.h"
#include "world/database/place.h"

namespace phasegate::world::database {
namespace {

using base::Error;
using base::Result;

constexpr const char* kNotes =
    "CREATE TABLE IF NOT EXISTS phasegate_migrations(number INTEGER PRIMARY KEY, name TEXT NOT "
    "NULL, sha256 TEXT NOT NULL, applied_at TEXT NOT NULL)";

std::string text_of(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? "" : *text;
}

Result<std::vector<AppliedMigration>> applied_in(Connection& connection) {
  const auto tables =
      connection.whole("SELECT count(*) FROM sqlite_master WHERE name = 'phasegate_migrations'");
  if (!tables) return tables.error();
  std::vector<AppliedMigration> applied;
  if (*tables == 0) return applied;
  const auto rows = connection.rows(
      "SELECT number, name, sha256, applied_at FROM phasegate_migrations ORDER BY number");
  if (!rows) return rows.error();
  for (const Row& row : *rows) {
    const auto* number = std::get_if<std::int64_t>(&row[0]);
    applied.push_back(
        {number == nullptr ? 0 : *number, text_of(row[1]), text_of(row[2]), text_of(row[3])});
  }
  return applied;
}

/// How many rows point to nothing; nullopt: the schema does not let it be told.
std::optional<std::int64_t> broken_keys(Connection& connection) {
  const auto broken = connection.whole("SELECT count(*) FROM pragma_foreign_key_check");
  return broken ? std::optional(*broken) : std::nullopt;
}

/// One migration in one transaction; false: another process was quicker.
Result<bool> apply(Connection& connection, const std::vector<Migration>& files,
                   const Migration& migration, const base::Clock& clock) {
  auto transaction = Transaction::begin(connection, true);
  if (!transaction) return std::move(transaction).error();
  const auto applied = applied_in(connection);
  if (!applied) return applied.error();
  const auto pending = pending_migrations(files, *applied);
  if (!pending) return pending.error();
  if (pending->empty() || pending->front().number > migration.number) return false;
  const auto before = broken_keys(connection);
  if (auto run = run_migration(connection, migration); !run) return std::move(run).error();
  const auto after = broken_keys(connection);
  if (before && (!after || *after > *before)) {
    return Error{"migration_failed",
                 base::in_quotes(migration.name) + " leaves rows that refer to rows that are gone",
                 "nothing of this migration was kept; mend the file and repeat", migration.name};
  }
  if (auto made = connection.run(kNotes); !made) return std::move(made).error();
  const auto noted = connection.rows(
      "INSERT INTO phasegate_migrations VALUES (?, ?, ?, ?)",
      {migration.number, migration.name, migration.sha256, base::to_rfc3339(clock.now())});
  if (!noted) return noted.error();
  if (auto kept = transaction->commit(); !kept) return std::move(kept).error();
  base::log_info("database.migrated", {{"migration", migration.name}});
  return true;
}

Result<void> apply_all(const Place& place, const std::vector<Migration>& files, Migrated& done,
                       const base::Clock& clock) {
  auto connection =
      open_at(place, place.there ? Connection::Mode::existing : Connection::Mode::create,
              base::limits::kStoreBusyMs);
  if (!connection) return std::move(connection).error();
  // To rebuild a table means to drop the old one, which would take along what refers to it; what
  // is left without a target is counted instead.
  if (auto off = connection->run("PRAGMA foreign_keys=OFF"); !off) return off;
  std::vector<Migration> wanted = std::move(done.migrations);
  done.migrations.clear();
  for (Migration& migration : wanted) {
    const auto applied = apply(*connection, files, migration, clock);
    if (!applied) return applied.error();
    if (*applied) done.migrations.push_back(std::move(migration));
  }
  return {};
}

/// The file that was made for a first migration that then failed.
void remove_if_empty(const Place& place) {
  const base::Descriptor folder = open_folder(place.root, place.folder());
  const std::string name = place.file_name();
  struct stat status{};
  if (::fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISREG(status.st_mode) && status.st_size == 0) {
    ::unlinkat(folder.get(), name.c_str(), 0);
  }
}

}  // namespace

Result<Migrated> migrate(const std::filesystem::path& root, const MigrateRequest& request,
                         const base::Clock& clock) {
  const auto files = read_migrations(root, request.folder);
  if (!files) return files.error();
  const auto place = find_database(root, request.path);
  if (!place) return place.error();
  std::vector<AppliedMigration> applied;
  if (place->there) {
    auto connection = open_at(*place, Connection::Mode::existing, base::limits::kStoreBusyMs);
    if (!connection) return std::move(connection).error();
    auto had = applied_in(*connection);
    if (!had) return std::move(had).error();
    applied = std::move(had).value();
  }
  auto pending = pending_migrations(*files, applied);
  if (!pending) return std::move(pending).error();
  Migrated done;
  done.before = static_cast<std::int64_t>(applied.size());
  done.migrations = std::move(pending).value();
  if (request.dry_run || done.migrations.empty()) return done;
  auto backup = back_up(root, BackupRequest{request.path, "", 0}, clock);
  if (!backup) return std::move(backup).error();
  done.backup = std::move(backup).value();
  auto all = apply_all(*place, *files, done, clock);
  if (all) return done;
  if (!place->there && done.migrations.empty()) {
    remove_if_empty(*place);
  }
  return std::move(all).error();
}

}  // namespace phasegate::world::database
