#include "world/database/copy.h"

#include <memory>

#include <sqlite3.h>

#include "base/hash.h"

namespace phasegate::world::database {
namespace {

/// Outside the write-ahead log a writer has to wait while pages are read, so they are read in parts
/// …
constexpr int kPagesAtOnce = 2048;
/// … unless somebody keeps writing: every write begins the copy anew.
constexpr int kRestartsMax = 3;

struct Finish {
  void operator()(sqlite3_backup* backup) const { sqlite3_backup_finish(backup); }
};

/// Copies to the end; SQLite's result code.
int copy_pages(sqlite3_backup* backup, bool all_at_once) {
  int pages = all_at_once ? -1 : kPagesAtOnce;
  int restarts = 0;
  int left = 0;
  while (true) {
    const int code = sqlite3_backup_step(backup, pages);
    if (code != SQLITE_OK) return code;
    const int now = sqlite3_backup_remaining(backup);
    if (left != 0 && now >= left && ++restarts >= kRestartsMax) pages = -1;
    left = now;
  }
}

}  // namespace

base::Result<void> copy_database(Connection& source, Connection& target) {
  const auto mode = source.rows("PRAGMA main.journal_mode");
  if (!mode) return mode.error();
  const bool wal = !mode->empty() && mode->front().front() == Value("wal");
  const std::unique_ptr<sqlite3_backup, Finish> backup(
      sqlite3_backup_init(target.handle(), "main", source.handle(), "main"));
  if (backup == nullptr) return target.failure();
  const int code = copy_pages(backup.get(), wal);
  if (code == SQLITE_DONE) return {};
  // Which of the two it was is not told; a lock or damage is the source's as a rule.
  const bool of_target = (code & 0xFF) == SQLITE_FULL || (code & 0xFF) == SQLITE_READONLY;
  return describe(code, of_target ? target.name() : source.name(), sqlite3_errstr(code));
}

base::Result<std::string> schema_digest(Connection& connection) {
  const auto rows = connection.rows(
      "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master ORDER BY 1, 2, 3");
  if (!rows) return rows.error();
  base::Digest digest;
  for (const Row& row : *rows) {
    for (const Value& value : row) {
      const auto* text = std::get_if<std::string>(&value);
      digest.add(text == nullptr ? "" : *text);
    }
  }
  for (const char* pragma : {"PRAGMA main.user_version", "PRAGMA main.application_id"}) {
    const auto number = connection.whole(pragma);
    if (!number) return number.error();
    digest.add(std::to_string(*number));
  }
  return digest.hex();
}

base::Result<void> verify_integrity(Connection& connection) {
  const auto found = connection.rows("PRAGMA main.integrity_check(1)");
  if (!found) {
    base::Error error = found.error();
    // An index that cannot be compared here: its collation belongs to another program.
    if (error.code == "sql_error") {
      error.message = "the database " + connection.name() + " cannot be verified: " + error.message;
      error.code = "damaged";
    }
    return error;
  }
  if (found->size() == 1 && found->front().front() == Value("ok")) return {};
  const auto* text = found->empty() ? nullptr : std::get_if<std::string>(&found->front().front());
  return describe(SQLITE_CORRUPT, connection.name(), text == nullptr ? "" : *text);
}

}  // namespace phasegate::world::database
