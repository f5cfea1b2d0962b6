#include "state/seal/upkeep.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/limits.h"
#include "gating/engine/ports.h"
#include "state/seal/acceptance.h"
#include "state/seal/anchor.h"
#include "state/seal/audit.h"
#include "state/seal/row_marks.h"
#include "state/seal/seal_rows.h"
#include "state/seal/store_mark.h"
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

/// What an audit finds of the state as a whole, within a transaction of the caller's; `anchor`:
/// what will count, instead of what is there.
std::vector<std::string> wrong_with_all(Db& db, Seal& seal,
                                        const std::optional<std::int64_t>& anchor = {}) {
  AuditReport report;
  audit_marks(db, seal, anchor ? anchor : look_at_anchor(db, seal, report), report);
  std::vector<std::string> messages;
  for (AuditFinding& finding : report.findings) messages.push_back(std::move(finding.message));
  return messages;
}

bool workflow_holds(Db& db, Seal& seal, const std::string& hash) {
  try {
    const auto row = read_definition_row(db, hash);
    const auto mark = row ? from_hex(row->digest) : std::nullopt;
    return mark &&
           seal.holds(*mark, definition_text(seal, hash, row->version, row->model, row->blobs));
  } catch (const StoreFailure& failure) {
    if (failure.error().code != "damaged") throw;
    return false;
  }
}

bool session_holds(Db& db, Seal& seal, const std::string& id) {
  try {
    AuditReport report;
    audit_session(db, seal, id, report);
    return report.findings.empty();
  } catch (const StoreFailure& failure) {
    if (failure.error().code != "damaged") throw;
    return false;
  }
}

/// Where neither the mark of the whole nor that of anything in it holds, the keys are others':
/// whoever accepted that would seal with them what the right ones could not verify any more.
void require_own_keys(Db& db, Seal& seal) {
  if (read_store_mark(db, seal)) return;
  const auto any = [&](std::string_view sql, const auto& holds) {
    Statement rows = db.prepare(sql);
    while (rows.step()) {
      if (holds(db, seal, rows.text(0))) return true;
    }
    return false;
  };
  if (any("SELECT hash FROM definition", workflow_holds)) return;
  if (any("SELECT id FROM run ORDER BY number DESC LIMIT 100", session_holds)) return;
  if (db.query_integer("SELECT count(*) FROM run").value_or(0) == 0) return;
  throw StoreFailure(base::Error{
      "damaged",
      "nothing in state.db verifies with the seal-keys beside it, so it was sealed with "
      "others; that cannot be accepted",
      "put the seal-keys that belong to it back, from your own copy of the file; "
      "nothing was accepted",
      ""});
}

struct Acceptor {
  std::string_view principal;
  std::string_view what;
  base::TimePoint now;
};

/// Accepts the state within a transaction of the caller's: the new counter, and what was found.
std::pair<std::int64_t, Acceptable> accept_within(Db& db, Seal& seal, const Acceptor& by) {
  Acceptable found;
  require_own_keys(db, seal);
  const auto before = wrong_with_all(db, seal);
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
  db.empty_log();
  // Ended in between, the anchor is behind or lost: it can be accepted again.
  renew_anchor(seal, counter, db.log_name());
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
