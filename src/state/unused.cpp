#include "state/unused.h"

#include <string>
#include <vector>

namespace phasegate::state {
namespace {

constexpr int kTriesMax = 3;
/// Removed in one transaction; the rest by the next call.
constexpr std::int64_t kRemovedAtOnce = 500;

constexpr std::string_view kUnreadable = "SELECT 1 FROM run WHERE NOT json_valid(state) LIMIT 1";
constexpr std::string_view kDefinitions =
    "SELECT hash FROM definition WHERE hash NOT IN (SELECT definition FROM run) LIMIT ?";
// What a session has observed of the project's files when it began, and when its phase was entered,
// is named by its state only.
constexpr std::string_view kBlobs =
    "SELECT hash FROM blob WHERE"
    " hash NOT IN (SELECT blob FROM definition_blob"
    "              WHERE definition IN (SELECT definition FROM run))"
    " AND hash NOT IN (SELECT json_extract(state, '$.started') FROM run"
    "                  WHERE json_extract(state, '$.started') IS NOT NULL)"
    " AND hash NOT IN (SELECT json_extract(state, '$.entered') FROM run"
    "                  WHERE json_extract(state, '$.entered') IS NOT NULL)"
    " LIMIT ?";

std::vector<std::string> hashes(Db& db, std::string_view sql) {
  std::vector<std::string> found;
  Statement rows = db.prepare(sql);
  rows.bind_all(kRemovedAtOnce);
  while (rows.step()) found.push_back(rows.text(0));
  return found;
}

/// Changes with every commit of another connection.
std::int64_t data_version(Db& db) {
  return db.query_integer("PRAGMA data_version").value_or(0);
}

}  // namespace

Unused remove_unused(StoreFile& file, Db& db) {
  for (int tries = 0; tries < kTriesMax; ++tries) {
    std::int64_t seen = 0;
    std::vector<std::string> definitions;
    std::vector<std::string> blobs;
    {
      const Snapshot snapshot(db);
      if (db.query_integer(kUnreadable)) return {};
      seen = data_version(db);
      definitions = hashes(db, kDefinitions);
      blobs = hashes(db, kBlobs);
    }
    if (definitions.empty() && blobs.empty()) return {};
    StoreTransaction transaction(file, db);
    if (data_version(db) != seen) continue;
    for (const std::string& hash : definitions) {
      db.prepare("DELETE FROM definition_blob WHERE definition = ?").bind_all(hash).run();
      db.prepare("DELETE FROM definition WHERE hash = ?").bind_all(hash).run();
    }
    std::int64_t documents = 0;
    for (const std::string& hash : blobs) {
      // One of a workflow that is not removed in this call stays with it.
      db.prepare(
            "DELETE FROM blob WHERE hash = ?1"
            " AND NOT EXISTS (SELECT 1 FROM definition_blob WHERE blob = ?1)")
          .bind_all(hash)
          .run();
      documents += db.changes();
    }
    transaction.commit();
    return {static_cast<std::int64_t>(definitions.size()), documents};
  }
  return {};
}

}  // namespace phasegate::state
