#include "state/seal/upkeep.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/limits.h"
#include "gating/engine/ports.h"
#include "state/seal/acceptance.h"
#include "state/seal/anchor.h"
#include "state/seal/audit.h"
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

/// What an audit finds of the state as a whole, within a transaction of the caller's.
std::vector<std::string> wrong_with_all(Db& db, Seal& seal,
                                        const std::optional<std::int64_t>& anchor) {
  AuditReport report;
  audit_marks(db, seal, anchor, report);
  std::vector<std::string> messages;
  for (AuditFinding& finding : report.findings) messages.push_back(std::move(finding.message));
  return messages;
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

Acceptable to_be_accepted(const fs::path& folder) {
  StoreFile file(folder, {.busy_ms = base::limits::kStoreBusyMs});
  Db& db = opened(file);
  Acceptable found;
  if (file.seal() == nullptr) return found;
  Seal& seal = *file.seal();
  const auto anchor = read_anchor(seal);
  const Transaction taken_back(db);
  const auto before = wrong_with_all(db, seal, anchor);
  found.stays = wrong_with_all(db, seal, accept_state(db, seal, "", "", {}));
  std::copy_if(before.begin(), before.end(), std::back_inserter(found.mended),
               [&](const std::string& one) {
                 return std::find(found.stays.begin(), found.stays.end(), one) == found.stays.end();
               });
  return found;
}

Accepted accept_as_it_is(const fs::path& folder, std::string_view principal, std::string_view what,
                         base::TimePoint now) {
  StoreFile file(folder, {.busy_ms = base::limits::kStoreBusyMs});
  Db& db = opened(file);
  Seal& seal = *file.seal();
  Transaction transaction(db);
  Accepted accepted;
  accepted.counter = accept_state(db, seal, principal, what, now);
  accepted.stays = wrong_with_all(db, seal, accepted.counter);
  transaction.commit();
  // Ended in between, the anchor is behind or lost: it can be accepted again.
  renew_anchor(seal, accepted.counter);
  return accepted;
}

std::vector<std::string> sessions_beginning(const fs::path& folder, std::string_view prefix,
                                            std::size_t limit) {
  Db db = open_for_audit(folder);
  // Ids are made of hexadecimal digits and dashes, which all come before a tilde.
  Statement rows = db.prepare("SELECT id FROM run WHERE id >= ? AND id < ? ORDER BY id LIMIT ?");
  rows.bind_all(prefix, std::string(prefix) + '~', static_cast<std::int64_t>(limit));
  std::vector<std::string> ids;
  while (rows.step()) ids.push_back(rows.text(0));
  return ids;
}

}  // namespace phasegate::state
