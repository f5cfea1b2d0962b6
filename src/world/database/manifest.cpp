#include "world/database/manifest.h"

#include "base/limits.h"
#include "base/text.h"

namespace phasegate::world::database {
namespace {

using base::Result;

/// Another copy of a large database takes its time.
constexpr std::int64_t kWaitMs = 60'000;

constexpr const char* kSchema =
    "CREATE TABLE IF NOT EXISTS database_backups(id TEXT PRIMARY KEY, database TEXT NOT NULL, "
    "created_at TEXT NOT NULL, path TEXT NOT NULL, workflow_run_id TEXT, size_bytes INTEGER NOT "
    "NULL, sha256 TEXT NOT NULL)";

std::string text_of(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? "" : *text;
}

base::Error explained(base::Error error) {
  if (error.code != "damaged" && error.code != "not_a_database" && error.code != "sql_error") {
    return error;
  }
  error.message = "the list of copies cannot be used: " + error.message;
  error.code = "list_damaged";
  error.hint = "move it away: the copies beside it stay good without it, and a new list is begun";
  return error;
}

Result<Place> place_of(const Place& database, const BackupFolder& folder) {
  return find_database(database.root, folder.path_of(Manifest::kFileName));
}

Result<std::vector<Backup>> rows_of(Connection& connection, std::string_view database) {
  const auto rows = connection.rows(
      "SELECT id, database, created_at, path, workflow_run_id, size_bytes, sha256 FROM "
      "database_backups WHERE database = ? ORDER BY rowid",
      {std::string(database)});
  if (!rows) return explained(rows.error());
  std::vector<Backup> backups;
  for (const Row& row : *rows) {
    const auto* size = std::get_if<std::int64_t>(&row[5]);
    backups.push_back({text_of(row[0]), text_of(row[1]), text_of(row[2]), text_of(row[3]),
                       text_of(row[4]), size == nullptr ? 0 : *size, text_of(row[6])});
  }
  return backups;
}

}  // namespace

Result<Manifest> Manifest::open(const Place& database, const BackupFolder& folder) {
  const auto place = place_of(database, folder);
  if (!place) return place.error();
  auto opened = open_at(*place, Connection::Mode::create, kWaitMs);
  if (!opened) return explained(opened.error());
  auto connection = std::make_unique<Connection>(std::move(opened).value());
  auto transaction = Transaction::begin(*connection, true);
  if (!transaction && transaction.error().code == "busy") {
    return base::Error{"busy", "another copy is being made in " + base::in_quotes(folder.path),
                       "repeat when it is done", ""};
  }
  if (!transaction) return explained(transaction.error());
  if (auto made = connection->run(kSchema); !made) return explained(std::move(made).error());
  return Manifest(std::move(connection), std::move(transaction).value());
}

Result<std::vector<Backup>> Manifest::read(const Place& database, const BackupFolder& folder) {
  const auto place = place_of(database, folder);
  if (!place) return place.error();
  if (!place->there) return std::vector<Backup>();
  auto connection = open_at(*place, Connection::Mode::existing, base::limits::kStoreBusyMs);
  if (!connection) return explained(connection.error());
  const auto tables =
      connection->whole("SELECT count(*) FROM sqlite_master WHERE name = 'database_backups'");
  if (!tables) return explained(tables.error());
  if (*tables == 0) return std::vector<Backup>();
  return rows_of(*connection, database.file_name());
}

Result<std::vector<Backup>> Manifest::of(std::string_view database) {
  return rows_of(*connection_, database);
}

Result<void> Manifest::add(const Backup& backup) {
  const Value run = backup.run_id.empty() ? Value() : Value(backup.run_id);
  const auto done = connection_->rows("INSERT INTO database_backups VALUES (?, ?, ?, ?, ?, ?, ?)",
                                      {backup.id, backup.database, backup.created_at, backup.path,
                                       run, backup.size_bytes, backup.sha256});
  if (!done) return explained(done.error());
  return {};
}

Result<void> Manifest::forget(std::string_view id) {
  const auto done =
      connection_->rows("DELETE FROM database_backups WHERE id = ?", {std::string(id)});
  if (!done) return explained(done.error());
  return {};
}

Result<void> Manifest::commit() {
  return transaction_.commit();
}

}  // namespace phasegate::world::database
