#include <cerrno>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "gating/engine/ports.h"
#include "state/backup_copy.h"
#include "state/db_failure.h"
#include "state/files.h"
#include "state/lost_store.h"
#include "state/restore.h"
#include "state/restore_plan.h"
#include "state/seal/anchor.h"
#include "state/seal/open_seal.h"
#include "state/seal/under_log.h"
#include "state/store_file.h"

namespace phasegate::state {
namespace fs = std::filesystem;
namespace {

bool is_there(const fs::path& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0;
}

/// `state.db.set-aside-20270115T080000123Z`
std::string aside_name(std::string_view file, base::TimePoint now) {
  return std::string(file) + ".set-aside-" + time_in_name(now);
}

/// A moment whose names no file has yet.
base::TimePoint free_moment(const fs::path& folder, base::TimePoint now) {
  for (std::size_t i = 0; i < base::limits::kBackupsMax; ++i) {
    const base::TimePoint moment{now.ms + static_cast<std::int64_t>(i)};
    const fs::path database = folder / aside_name(kStoreFileName, moment);
    if (!is_there(database) && !is_there(database.string() + "-wal") &&
        !is_there(folder / aside_name(kAnchorFileName, moment))) {
      return moment;
    }
  }
  throw_errno(EEXIST, "holds too many files that were set aside");
}

void rename_to_free(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return;
  // Not every file system can promise not to replace; nothing had that name just now.
  if (errno == EINVAL && ::rename(from.c_str(), to.c_str()) == 0) return;
  throw_errno(errno, "cannot give a file another name");
}

}  // namespace

std::vector<std::string> set_database_aside(const fs::path& folder, base::TimePoint moment) {
  const fs::path file = folder / kStoreFileName;
  const fs::path to = folder / aside_name(kStoreFileName, free_moment(folder, moment));
  std::vector<std::string> names;
  // The database first: a log alone is refused by everybody, a database without its log would be
  // taken for an older state. The index is made anew from the log.
  for (const char* suffix : {"", "-wal", "-journal"}) {
    const fs::path from = file.string() + suffix;
    if (!is_there(from)) continue;
    const std::string target = to.string() + suffix;
    rename_to_free(from, target);
    names.push_back(fs::path(target).filename().string());
  }
  std::error_code ignored;
  fs::remove(file.string() + "-shm", ignored);
  sync_folder(folder);
  for (const std::string& name : names) base::log_info("state.set_aside", {{"file", name}});
  return names;
}

std::vector<std::string> set_aside(const fs::path& folder, base::TimePoint now) {
  const base::TimePoint moment = free_moment(folder, now);
  auto names = set_database_aside(folder, moment);
  // Last, and on the disk after the others: until it has gone it says what is missing.
  const fs::path anchor = folder / kAnchorFileName;
  if (!is_there(anchor)) return names;
  names.push_back(aside_name(kAnchorFileName, moment));
  rename_to_free(anchor, folder / names.back());
  sync_folder(folder);
  base::log_info("state.set_aside", {{"file", names.back()}});
  return names;
}

std::optional<base::Error> why_unusable(const fs::path& folder) {
  const fs::path file = folder / kStoreFileName;
  std::error_code failed;
  if (!is_there(file)) {
    const auto log = fs::file_size(file.string() + "-wal", failed);
    if (failed || log == 0) return lost_store(folder);
    return base::Error{"damaged", std::string(kStoreFileName) + " is gone, but its log is there",
                       "", ""};
  }
  if (!fs::is_regular_file(fs::symlink_status(file, failed))) {
    return base::Error{"not_a_database", std::string(kStoreFileName) + " is not a regular file", "",
                       ""};
  }
  try {
    Db db(file, {.mode = DbOptions::Mode::read_only,
                 .busy_ms = base::limits::kStoreBusyMs,
                 .application_id = kApplicationId});
    require_version_at_most(db, kStoreFileName, newest_version(all_migrations()));
    static_cast<void>(facts_of(db));
    // Without its keys nothing in it can be verified, and no copy of it either.
    auto seal = open_seal(db, folder);
    if (!seal) return std::nullopt;
    static_cast<void>(seal->newest_key());
    // What is read of a file under the log of another is no state that ever was.
    if (const auto own = compare_under_log(db, *seal, read_anchor(*seal)); !own) return own.error();
  } catch (const gating::engine::StoreFailure& failure) {
    const std::string& code = failure.error().code;
    if (code == "damaged" || code == "not_a_database" || code == "newer_version") {
      return failure.error();
    }
    throw;
  }
  return std::nullopt;
}

}  // namespace phasegate::state
