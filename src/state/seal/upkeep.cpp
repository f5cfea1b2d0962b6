#include "state/seal/upkeep.h"

#include "base/limits.h"
#include "gating/engine/ports.h"
#include "state/seal/acceptance.h"
#include "state/seal/anchor.h"
#include "state/seal/audit.h"
#include "state/seal/open_seal.h"
#include "state/store_file.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using gating::engine::StoreFailure;
namespace {

Db& opened(StoreFile& file) {
  if (Db* db = file.for_reading()) return *db;
  throw StoreFailure(base::Error{"not_found", "there is no state.db in the state folder",
                                 "`phasegate doctor` shows where the state lies", ""});
}

}  // namespace

std::int64_t rotate_seal_key(const fs::path& folder) {
  StoreFile file(folder, {.busy_ms = base::limits::kStoreBusyMs});
  Db& db = opened(file);
  StoreTransaction transaction(file, db);
  StoreGuard& guard = transaction.guard();
  // The lock of the database is the lock of the file. Ended in between, the key is simply there.
  add_seal_key(folder);
  guard.seal().forget_keys();
  guard.renewed();
  const std::int64_t number = guard.seal().newest_key();
  transaction.commit(StoreTransaction::Anchor::synced);
  return number;
}

std::vector<std::string> to_be_accepted(const fs::path& folder) {
  Db db = open_for_audit(folder);
  auto seal = open_seal(db, folder);
  std::vector<std::string> found;
  if (!seal) return found;
  AuditReport report;
  const auto anchor = read_anchor(*seal);
  const Snapshot snapshot(db);
  audit_marks(db, *seal, anchor, report);
  for (const AuditFinding& finding : report.findings) found.push_back(finding.message);
  return found;
}

std::int64_t accept_as_it_is(const fs::path& folder, std::string_view principal,
                             std::string_view what, base::TimePoint now) {
  StoreFile file(folder, {.busy_ms = base::limits::kStoreBusyMs});
  Db& db = opened(file);
  Seal& seal = *file.seal();
  Transaction transaction(db);
  const std::int64_t counter = accept_state(db, seal, principal, what, now);
  transaction.commit();
  // Ended in between, the anchor is behind or lost: it can be accepted again.
  renew_anchor(seal, counter);
  return counter;
}

std::vector<std::string> sessions_beginning(const fs::path& folder, std::string_view prefix,
                                            std::size_t limit) {
  Db db = open_for_audit(folder);
  Statement rows = db.prepare(
      "SELECT id FROM run WHERE id >= ?1 AND substr(id, 1, ?2) = ?1 ORDER BY id LIMIT ?3");
  rows.bind_all(prefix, static_cast<std::int64_t>(prefix.size()), static_cast<std::int64_t>(limit));
  std::vector<std::string> ids;
  while (rows.step()) ids.push_back(rows.text(0));
  return ids;
}

}  // namespace phasegate::state
