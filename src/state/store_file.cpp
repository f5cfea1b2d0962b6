#include "state/store_file.h"

#include <cerrno>
#include <exception>
#include <stdexcept>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include "base/ids.h"
#include "base/log.h"
#include "gating/engine/ports.h"
#include "state/db_failure.h"
#include "state/evidence_key.h"
#include "state/files.h"
#include "state/lost_store.h"
#include "state/request_key.h"
#include "state/seal/anchor.h"
#include "state/seal/open_seal.h"
#include "state/seal/seal_keys.h"
#include "state/seal/under_log.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using gating::engine::StoreFailure;
namespace {

/// True if there is something of any kind at `path`; throws where that cannot be told.
bool is_there(const fs::path& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) == 0) return true;
  if (errno == ENOENT) return false;
  throw_errno(errno, "cannot be reached");
}

void require_regular(const fs::path& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) throw_errno(errno, "cannot be used");
  if (S_ISREG(status.st_mode)) return;
  if (S_ISLNK(status.st_mode)) {
    // Beside a link other approvers may lie than beside the file, who would decide about its runs.
    throw StoreFailure(base::Error{"not_a_database", path.filename().string() + " is a link",
                                   "name the folder that the file itself lies in with --state; "
                                   "nothing was changed",
                                   ""});
  }
  throw StoreFailure(
      base::Error{"not_a_database", path.filename().string() + " is not a regular file",
                  "it was left as it is; move it away or choose another folder with --state", ""});
}

[[noreturn]] void throw_removed(const std::string& name) {
  throw StoreFailure(base::Error{
      "damaged", name + " was removed while in use",
      "put it back, or restart phasegate to begin with an empty state; nothing of this call was "
      "written",
      ""});
}

/// Reading goes on where nothing may be written any more; who reads the log should know.
void report_standing(Db& db, Seal& seal) {
  try {
    const auto checked = check_store(db, seal);
    if (!checked) base::log_error("state.frozen", {{"problem", checked.error().message}});
  } catch (const StoreFailure& failure) {
    base::log_error("state.frozen", {{"problem", failure.error().message}});
  }
}

/// Before a migration writes: whatever else is wrong is found when something is to be written.
void require_own_log(Db& db, const fs::path& folder, std::span<const Migration> migrations) {
  if (db.query_integer("PRAGMA user_version").value_or(0) >= newest_version(migrations)) return;
  auto seal = open_seal(db, folder);
  if (!seal) return;
  if (const auto own = compare_under_log(db, *seal, read_anchor(*seal)); !own) {
    throw StoreFailure(own.error());
  }
}

std::uintmax_t size_or_zero(const fs::path& path) {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(path, failed);
  return failed ? 0 : size;
}

}  // namespace

StoreFile::StoreFile(const fs::path& folder, const Options& options,
                     std::span<const Migration> migrations)
    : folder_(folder),
      file_(folder / options.file_name),
      options_(options),
      migrations_(migrations) {}

bool StoreFile::exists() const {
  if (is_there(file_)) return true;
  // A log without its database holds what was acknowledged; a new database beside it would take the
  // log for its own. The second look is for a process that made the file in between.
  const bool log_left = size_or_zero(file_.string() + "-wal") != 0;
  if (is_there(file_)) return true;
  if (log_left) {
    throw StoreFailure(base::Error{
        "damaged",
        options_.file_name + " is gone, but its log " + options_.file_name + "-wal is still there",
        "put the database back, or, if its runs may be lost, stop every phasegate of this project "
        "and move the log away; nothing was changed",
        ""});
  }
  if (options_.application_id == kApplicationId) {
    if (auto lost = lost_store(folder_)) throw StoreFailure(*std::move(lost));
    if (is_there(file_)) return true;
  }
  if (was_open_) throw_removed(options_.file_name);
  return false;
}

Db* StoreFile::for_reading() {
  if (snapshot_) return db_.get();
  Db* db = connection_in_place();
  if (db != nullptr) require_known_schema(*db);
  return db;
}

bool StoreFile::begin_reading() {
  if (snapshot_) return false;
  Db* db = connection_in_place();
  if (db == nullptr) return false;
  snapshot_.emplace(*db);
  require_known_schema(*db);
  return true;
}

Db* StoreFile::connection_in_place() {
  if (db_ != nullptr) {
    const FilesFound found = db_->look_at_files();
    if (found == FilesFound::as_opened) return db_.get();
    if (found != FilesFound::database_moved) refuse_files(*db_, found);
  }
  close();
  if (!exists()) return nullptr;
  open_existing();
  return db_.get();
}

Db& StoreFile::for_writing() {
  if (Db* open = for_reading()) return *open;
  create();
  open_existing();
  return *db_;
}

void StoreFile::close() {
  snapshot_.reset();
  seal_.reset();
  db_.reset();
}

void StoreFile::require_local(const fs::path& folder) const {
  const auto network = options_.network_of(folder);
  if (!network) return;
  throw StoreFailure(network_refusal(*network));
}

void StoreFile::open_existing() {
  require_regular(file_);
  require_local(folder_);
  auto db = std::make_unique<Db>(file_, DbOptions{.mode = DbOptions::Mode::existing,
                                                  .busy_ms = options_.busy_ms,
                                                  .pages_max = options_.pages_max,
                                                  .application_id = options_.application_id});
  if (options_.application_id == kApplicationId) require_own_log(*db, folder_, migrations_);
  migrate(*db, file_, migrations_);
  if (!db->is_read_only()) db->use_write_ahead_log();
  db->watch_files();
  // The others may still use a log that has lost its name; then this one has begun another.
  if (db->look_at_files() == FilesFound::log_lost) refuse_files(*db, FilesFound::log_lost);
  if (options_.application_id == kApplicationId) {
    seal_ = open_seal(*db, folder_);
    if (seal_) report_standing(*db, *seal_);
  }
  if (!db->is_read_only() && !was_open_) {
    for (const std::string_view made : {std::string_view(options_.file_name), kRequestKeyFileName,
                                        kEvidenceKeyFileName, kSealKeysFileName, kAnchorFileName}) {
      remove_leftovers(folder_, made);
    }
  }
  db_ = std::move(db);
  was_open_ = true;
}

void StoreFile::create() {
  make_private_folder(folder_);
  require_local(folder_);
  // Made under another name and then linked: no other process ever sees half a database, and of
  // two that make one at the same moment the second finds the first one's.
  UnfinishedFile unfinished(file_);
  {
    Db db(unfinished.path(), {.mode = DbOptions::Mode::create,
                              .busy_ms = options_.busy_ms,
                              .pages_max = options_.pages_max});
    base::SystemIdSource ids;
    initialise(db, folder_, migrations_, ids.new_id(), options_.application_id);
  }
  if (size_or_zero(unfinished.path().string() + "-wal") != 0) {
    throw_errno(ENOSPC, "cannot be written");
  }
  unfinished.unlock();
  // Taken: another process has made one meanwhile, and that is used.
  static_cast<void>(give_name(unfinished.path(), file_));
  sync_folder(folder_);
}

void StoreFile::require_known_schema(Db& db) const {
  require_version_at_most(db, file_.filename().string(), newest_version(migrations_));
}

void StoreFile::refuse_files(Db& db, FilesFound found) const {
  const std::string& name = options_.file_name;
  if (found == FilesFound::database_moved) {
    throw StoreFailure(base::Error{"damaged",
                                   name + " was removed or replaced while this call waited for it",
                                   "nothing of this call was written; repeat it", ""});
  }
  const bool saved = found == FilesFound::log_lost && db.save_log();
  // What the log holds has been copied, or must not be: the database or the log is not ours.
  db.leave_files_at_close();
  if (saved) {
    throw StoreFailure(base::Error{
        "damaged", name + "-wal or " + name + "-shm was removed or changed while in use",
        "nothing of this call was written; what was acknowledged before is safe in " + name +
            " now; repeat the call, and if it fails again, restart every phasegate of this project",
        ""});
  }
  if (found == FilesFound::log_lost) {
    throw StoreFailure(base::Error{
        "damaged", name + "-wal or " + name + "-shm was removed or changed while in use",
        "nothing of this call was written, and the newest steps before it may be lost; stop every "
        "phasegate of this project, then run `phasegate doctor`",
        ""});
  }
  throw StoreFailure(base::Error{
      "damaged", name + " was cut short or overwritten while in use",
      "nothing of this call was written; stop every phasegate of this project, put a backup back "
      "(without an old " +
          name + "-wal and " + name + "-shm), and run `phasegate doctor`",
      ""});
}

StoreTransaction::StoreTransaction(StoreFile& file, Db& db) : transaction_(db) {
  const FilesFound found = db.look_at_files();
  if (found != FilesFound::as_opened) {
    transaction_.roll_back();
    file.refuse_files(db, found);
  }
  file.require_known_schema(db);
  if (Seal* seal = file.seal()) guard_.emplace(db, *seal);
}

StoreGuard& StoreTransaction::guard() {
  if (!guard_) throw std::logic_error("state: a session is written where nothing is sealed");
  return *guard_;
}

void StoreTransaction::commit(Anchor anchor) {
  if (guard_) guard_->before_commit();
  transaction_.commit();
  if (guard_) guard_->after_commit(anchor == Anchor::synced);
}

CloseOnFailure::CloseOnFailure(StoreFile& file)
    : file_(file), exceptions_(std::uncaught_exceptions()) {}

CloseOnFailure::~CloseOnFailure() {
  if (std::uncaught_exceptions() > exceptions_) file_.close();
}

}  // namespace phasegate::state
