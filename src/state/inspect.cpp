#include "state/inspect.h"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "gating/engine/ports.h"
#include "state/backups.h"
#include "state/db.h"
#include "state/definitions.h"
#include "state/evidence_key.h"
#include "state/file_system.h"
#include "state/lost_store.h"
#include "state/migrations.h"
#include "state/records.h"
#include "state/request_key.h"
#include "state/run_rows.h"
#include "state/seal/anchor.h"
#include "state/seal/audit.h"
#include "state/seal/open_seal.h"
#include "state/seal/store_guard.h"
#include "state/store_file.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using gating::engine::StoreFailure;
namespace {

constexpr unsigned kPermissionBits = 07777;
constexpr unsigned kOthers = 077;

void look_at_files(const fs::path& folder, StoreReport& report) {
  struct stat of_folder{};
  struct stat of_file{};
  const fs::path file = folder / kStoreFileName;
  if (::stat(folder.c_str(), &of_folder) == 0)
    report.folder_mode = of_folder.st_mode & kPermissionBits;
  if (::stat(file.c_str(), &of_file) == 0) {
    report.exists = true;
    report.bytes = static_cast<std::uintmax_t>(of_file.st_size);
    report.file_mode = of_file.st_mode & kPermissionBits;
    report.private_to_owner = ((report.folder_mode | report.file_mode) & kOthers) == 0 &&
                              of_folder.st_uid == ::geteuid() && of_file.st_uid == ::geteuid();
  }
  std::error_code failed;
  const std::uintmax_t log = fs::file_size(file.string() + "-wal", failed);
  if (!failed) report.log_bytes = log;
}

void look_at_neighbours(const fs::path& folder, StoreReport& report) {
  const std::string name(kStoreFileName);
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string found = entry->path().filename().string();
    if (found.find(".set-aside-") != std::string::npos) report.set_aside.push_back(found);
    for (const std::string_view made : {kStoreFileName, kRequestKeyFileName, kEvidenceKeyFileName,
                                        kSealKeysFileName, kAnchorFileName}) {
      if (found.starts_with(std::string(made) + ".new-")) report.unfinished.push_back(found);
    }
  }
  for (const StateBackup& backup : list_backups(folder)) {
    report.backups.push_back(backup.file.lexically_relative(folder).string());
  }
  std::sort(report.set_aside.begin(), report.set_aside.end());
  std::sort(report.unfinished.begin(), report.unfinished.end());
}

void count(Db& db, StoreReport& report) {
  Statement rows = db.prepare("SELECT status, count(*) FROM run GROUP BY status");
  while (rows.step()) {
    report.runs_by_status[rows.text(0)] = rows.integer(1);
    report.runs += rows.integer(1);
  }
  report.effects_waiting = db.query_integer("SELECT count(*) FROM outbox").value_or(0);
  report.database_id = read_database_id(db);
}

void add_damage(StoreReport& report, DamagedItem item) {
  if (report.damaged.size() < base::limits::kDamagedShownMax) {
    report.damaged.push_back(std::move(item));
  } else {
    ++report.damaged_left_out;
  }
}

template <typename Read>
void note_damage(StoreReport& report, const std::string& run_id, Read read) {
  try {
    read();
  } catch (const StoreFailure& failure) {
    add_damage(report, {run_id, failure.error().message});
  }
}

bool has_keys(Seal& seal) {
  try {
    static_cast<void>(seal.newest_key());
    return true;
  } catch (const StoreFailure&) {
    return false;
  }
}

void read_everything(Db& db, Seal* seal, StoreReport& report) {
  Statement runs = db.prepare("SELECT id, number, journal_head FROM run ORDER BY number");
  while (runs.step()) {
    const std::string id = runs.text(0);
    note_damage(report, id, [&] {
      VerifiedRuns none;
      static_cast<void>(read_run(db, seal, id, none));
    });
    note_damage(report, id, [&] { static_cast<void>(read_artifacts(db, seal, id)); });
    Statement journal = db.prepare("SELECT count(*), max(seq) FROM journal WHERE run = ?");
    journal.bind_all(runs.integer(1)).step();
    const std::int64_t head = runs.integer(2);
    if (journal.integer(0) != head || (head > 0 && journal.integer(1) != head)) {
      add_damage(report, {id, "the journal of session " + id + " has gaps"});
    }
  }
  Statement definitions = db.prepare("SELECT hash FROM definition ORDER BY hash");
  while (definitions.step()) {
    note_damage(report, "",
                [&] { static_cast<void>(read_definition(db, seal, definitions.text(0))); });
  }
  Statement blobs = db.prepare("SELECT DISTINCT blob FROM definition_blob ORDER BY blob");
  while (blobs.step()) {
    note_damage(report, "", [&] {
      VerifiedBlobs none;
      static_cast<void>(read_blob(db, blobs.text(0), none));
    });
  }
}

void look_at_seals(Db& db, Seal& seal, StoreReport& report) {
  try {
    const auto checked = check_store(db, seal);
    if (!checked) report.seal_problem = checked.error();
  } catch (const StoreFailure& failure) {
    report.seal_problem = failure.error();
  }
}

/// Whether these are the sessions of the newest state: none missing, put in or put back.
void add_up(Db& db, Seal& seal, const std::optional<std::int64_t>& anchor, StoreReport& report) {
  AuditReport found;
  audit_marks(db, seal, anchor, found);
  for (const AuditFinding& finding : found.findings) {
    if (report.damaged.size() >= base::limits::kDamagedShownMax) return;
    report.damaged.push_back({finding.session, finding.message});
  }
}

void look_inside(const fs::path& file, const InspectOptions& options, StoreReport& report) {
  Db db(file, {.mode = DbOptions::Mode::read_only,
               .busy_ms = base::limits::kStoreBusyMs,
               .application_id = kApplicationId});
  report.writable = !db.is_read_only() && ::access(file.parent_path().c_str(), W_OK) == 0;
  auto seal = open_seal(db, file.parent_path());
  if (seal) look_at_seals(db, *seal, report);
  // Before the snapshot: an anchor is never ahead of what was committed before.
  const bool adds_up = options.thorough && seal && !report.seal_problem;
  const auto anchor = adds_up ? anchored_counter(*seal) : std::nullopt;
  const Snapshot snapshot(db);
  report.schema_version = static_cast<int>(db.query_integer("PRAGMA user_version").value_or(0));
  require_version_at_most(db, kStoreFileName, report.schema_version_known);
  report.integrity = db.check(options.thorough);
  count(db, report);
  if (!options.thorough || (seal && !has_keys(*seal))) return;
  read_everything(db, seal ? &*seal : nullptr, report);
  if (adds_up) add_up(db, *seal, anchor, report);
}

}  // namespace

StoreReport inspect(const fs::path& folder, const InspectOptions& options) {
  StoreReport report;
  report.schema_version_known = newest_version(all_migrations());
  look_at_files(folder, report);
  look_at_neighbours(folder, report);
  report.network = network_file_system_of(folder);
  report.key_problem = request_key_problem(folder);
  if (!report.key_problem) report.key_problem = evidence_key_problem(folder);
  if (!report.exists) {
    if (report.log_bytes > 0) {
      report.problem = base::Error{"damaged", "the database is gone, but its log is still there",
                                   "put the database back", ""};
    } else {
      report.problem = lost_store(folder);
    }
    return report;
  }
  std::error_code failed;
  // By itself: what is a link is not opened either.
  if (!fs::is_regular_file(fs::symlink_status(folder / kStoreFileName, failed))) {
    report.problem = base::Error{"not_a_database",
                                 std::string(kStoreFileName) + " is not a regular file", "", ""};
    return report;
  }
  try {
    look_inside(folder / kStoreFileName, options, report);
  } catch (const StoreFailure& failure) {
    report.problem = failure.error();
  }
  return report;
}

}  // namespace phasegate::state
