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

struct Acceptor {
  std::string_view principal;
  std::string_view what;
  base::TimePoint now;
};

/// Accepts the state within a transaction of the caller's: the new counter, and what was found.
std::pair<std::int64_t, Acceptable> accept_within(Db& db, Seal& seal, const Acceptor& by) {
  Acceptable found;
  const auto before = wrong_with_all(db, seal, read_anchor(seal));
  const std::int64_t counter = accept_state(db, seal, by.principal, by.what, by.now);
  found.stays = wrong_with_all(db, seal, counter);
  std::copy_if(before.begin(), before.end(), std::back_inserter(found.mended),
               [&](const std::string& one) {
                 return std::find(found.stays.begin(), found.stays.end(), one) == found.stays.end();
               });
  return {counter, std::move(found)};
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
  if (file.seal() == nullptr) return {};
  const Transaction taken_back(db);
  return accept_within(db, *file.seal(), {"", "", {}}).second;
}

Accepted accept_as_it_is(const fs::path& folder, std::string_view principal, std::string_view what,
                         base::TimePoint now, const Acceptable* shown) {
  StoreFile file(folder, {.busy_ms = base::limits::kStoreBusyMs});
  Db& db = opened(file);
  Seal& seal = *file.seal();
  Transaction transaction(db);
  if (const FilesFound files = db.look_at_files(); files != FilesFound::as_opened) {
    transaction.roll_back();
    file.refuse_files(db, files);
  }
  auto [counter, found] = accept_within(db, seal, {principal, what, now});
  if (shown != nullptr && found != *shown) {
    throw StoreFailure(base::Error{
        "changed_meanwhile", "what is found of the state is not what was shown any more",
        "look at it with `phasegate audit`, and accept it again; nothing was accepted", ""});
  }
  transaction.commit();
  // Ended in between, the anchor is behind or lost: it can be accepted again.
  renew_anchor(seal, counter);
  return {counter, std::move(found.stays)};
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
