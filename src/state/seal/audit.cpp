#include "state/seal/audit.h"

#include <system_error>
#include <utility>

#include <unistd.h>

#include "base/limits.h"
#include "gating/engine/ports.h"
#include "state/lost_store.h"
#include "state/migrations.h"
#include "state/seal/anchor.h"
#include "state/seal/open_seal.h"
#include "state/seal/store_guard.h"
#include "state/seal/under_log.h"
#include "state/store_file.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using gating::engine::StoreFailure;
namespace {

constexpr std::int64_t kSessionsAtOnce = 256;

/// Ids of the sessions with a higher number than `after`, which becomes the last one's.
std::vector<std::string> next_sessions(Db& db, std::int64_t& after) {
  std::vector<std::string> ids;
  Statement rows =
      db.prepare("SELECT number, id FROM run WHERE number > ? ORDER BY number LIMIT ?");
  rows.bind_all(after, kSessionsAtOnce);
  while (rows.step()) {
    after = rows.integer(0);
    ids.push_back(rows.text(1));
  }
  return ids;
}

/// What cannot be read of one session keeps no other from being looked at.
void audit_alone(Db& db, Seal& seal, const std::string& id, AuditReport& report) {
  try {
    const Snapshot snapshot(db);
    audit_session(db, seal, id, report);
  } catch (const StoreFailure& failure) {
    if (failure.error().code != "damaged") throw;
    report.add({id, 0, "unreadable", failure.error().message});
  }
}

void audit_all(Db& db, Seal& seal, AuditReport& report) {
  try {
    // In this order: an anchor is never ahead of what was committed before.
    const auto anchor = look_at_anchor(db, seal, report);
    const Snapshot snapshot(db);
    if (const std::string problems = db.check(true); !problems.empty()) {
      report.add({"", 0, "unreadable", "SQLite finds the file damaged: " + problems});
    }
    audit_marks(db, seal, anchor, report);
    audit_shared(db, seal, report);
  } catch (const StoreFailure& failure) {
    if (failure.error().code != "damaged") throw;
    report.add({"", 0, "unreadable", failure.error().message});
  }
  std::int64_t after = 0;
  for (;;) {
    const auto ids = next_sessions(db, after);
    if (ids.empty()) return;
    for (const std::string& id : ids) audit_alone(db, seal, id, report);
  }
}

base::Error unsealed() {
  return {"not_sealed", "state.db is from before histories were sealed",
          "they are sealed when this phasegate uses the state next, for example by `phasegate "
          "sessions`",
          ""};
}

void run_audit(const fs::path& folder, std::string_view session, AuditReport& report) {
  Db db = open_for_audit(folder);
  Seal seal = open_audited(db, folder);
  if (session.empty()) {
    audit_all(db, seal, report);
    return;
  }
  const auto anchor = look_at_anchor(db, seal, report);
  const Snapshot snapshot(db);
  audit_one(db, seal, anchor, session, report);
}

}  // namespace

void AuditReport::add(AuditFinding finding) {
  if (findings.size() < kAuditFindingsMax) {
    findings.push_back(std::move(finding));
  } else {
    ++findings_left_out;
  }
}

Db open_for_audit(const fs::path& folder) {
  const fs::path file = folder / kStoreFileName;
  std::error_code failed;
  if (!fs::is_regular_file(fs::symlink_status(file, failed))) {
    if (auto lost = lost_store(folder)) throw StoreFailure(*std::move(lost));
    throw StoreFailure(base::Error{"not_found", "there is no state.db in the state folder",
                                   "`phasegate doctor` shows where the state lies", ""});
  }
  const std::uintmax_t log = fs::file_size(file.string() + "-wal", failed);
  // Where nothing may be written and no log is left, there is nobody who could change the file:
  // only then may it be read without the files that SQLite would make beside it.
  const bool still = ::access(folder.c_str(), W_OK) != 0 && (failed || log == 0);
  return {file,
          {.mode = still ? DbOptions::Mode::unchanging : DbOptions::Mode::read_only,
           .busy_ms = base::limits::kStoreBusyMs,
           .application_id = kApplicationId}};
}

Seal open_audited(Db& db, const fs::path& folder) {
  require_version_at_most(db, kStoreFileName, newest_version(all_migrations()));
  auto seal = open_seal(db, folder);
  if (!seal) throw StoreFailure(unsealed());
  // Without keys nothing verifies: that is one trouble, and not one of every session.
  static_cast<void>(seal->newest_key());
  return *std::move(seal);
}

std::optional<std::int64_t> look_at_anchor(Db& db, Seal& seal, AuditReport& report) {
  const auto anchor = read_anchor(seal);
  if (!anchor) return std::nullopt;
  if (const auto compared = compare_under_log(db, seal, anchor); !compared) {
    report.add({"", 0, "anchor", compared.error().message});
  }
  return anchor->counter;
}

void audit_one(Db& db, Seal& seal, const std::optional<std::int64_t>& anchor,
               std::string_view session, AuditReport& report) {
  report.anchor = anchor;
  if (const auto mark = read_store_mark(db, seal)) {
    report.mark = *mark;
    if (const auto compared = compare_with_anchor(*mark, anchor); !compared) {
      report.add({"", 0, "anchor", compared.error().message});
    }
  } else {
    report.add({"", 0, "store", mark.error().message});
  }
  report.acceptances = read_acceptances(db, seal);
  audit_session(db, seal, session, report);
  audit_pinned(db, seal, std::string(session), report);
}

AuditReport audit(const fs::path& folder, std::string_view session) {
  AuditReport report;
  try {
    run_audit(folder, session, report);
  } catch (const StoreFailure& failure) {
    report.problem = failure.error();
  }
  return report;
}

}  // namespace phasegate::state
