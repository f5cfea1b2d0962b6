#include "state/approvers/book_file.h"

#include <array>
#include <cerrno>
#include <optional>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "gating/engine/ports.h"
#include "state/db_failure.h"
#include "state/files.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using gating::engine::StoreFailure;
namespace {

constexpr std::int64_t kPagesMax = 1024;
constexpr std::int64_t kBytesMax = kPagesMax * 4096;
constexpr std::int64_t kBookApplicationId = 0x70686761;  // "phga"

// Version 1. Times are UTC milliseconds; `key` is the name as it is compared, `roles` joined with
// commas. Failures with names that are not enrolled are counted for 4096 groups of names: people
// type a secret where a name belongs, and a name of which so little is kept cannot be guessed.
constexpr std::string_view kVersion1 = R"sql(
CREATE TABLE meta (
  key   TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE approver (
  key         TEXT NOT NULL PRIMARY KEY,
  name        TEXT NOT NULL,
  roles       TEXT NOT NULL,
  n_log2      INTEGER NOT NULL,
  r           INTEGER NOT NULL,
  p           INTEGER NOT NULL,
  salt        BLOB NOT NULL,
  hash        BLOB NOT NULL,
  since       INTEGER NOT NULL,
  enrolled_by TEXT NOT NULL,
  failures    INTEGER NOT NULL DEFAULT 0,
  failed_at   INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE unknown_name (
  name_group INTEGER PRIMARY KEY,
  failures   INTEGER NOT NULL,
  failed_at  INTEGER NOT NULL
) STRICT;
)sql";

constexpr std::array<Migration, 1> kMigrations{{{1, kVersion1}}};

[[noreturn]] void refuse(const std::string& why, const std::string& hint) {
  throw StoreFailure(base::Error{"unsafe_file", why, hint, ""});
}

std::optional<struct stat> look(const fs::path& path) {
  // By name: a descriptor of ours would, when closed, drop the locks that SQLite holds.
  struct stat status{};
  if (::lstat(path.c_str(), &status) == 0) return status;
  if (errno == ENOENT) return std::nullopt;
  throw_errno(errno, "holds approvers that cannot be read");
}

void require_safe_folder(const fs::path& folder) {
  constexpr mode_t kOthersWrite = 022;
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0) {
    if (errno == ENOENT) return;
    throw_errno(errno, "cannot be reached");
  }
  if (status.st_uid != ::geteuid()) {
    refuse("the folder of approvers.db belongs to another user", "use a folder of your own");
  }
  if ((status.st_mode & kOthersWrite) != 0) {
    refuse("the folder of approvers.db may be written by others",
           "if nobody has been at it: chmod go-w the folder");
  }
}

void require_safe_file(const std::string& name, const struct stat& status) {
  constexpr mode_t kOthers = 077;
  const std::string look_at = "a person should look at it; it was left as it is";
  if (S_ISLNK(status.st_mode)) refuse(name + " is a link", look_at);
  if (!S_ISREG(status.st_mode)) refuse(name + " is not a regular file", look_at);
  if (status.st_uid != ::geteuid()) refuse(name + " belongs to another user", look_at);
  if ((status.st_mode & kOthers) != 0) {
    refuse(name + " may be read or written by others",
           "if nobody has been at it: chmod 600 the file; else enrol everybody anew");
  }
}

}  // namespace

BookFile::BookFile(const fs::path& folder)
    : folder_(folder),
      store_(folder,
             {.busy_ms = base::limits::kStoreBusyMs,
              .pages_max = kPagesMax,
              .file_name = std::string(kBookFileName),
              .application_id = kBookApplicationId},
             kMigrations) {}

void BookFile::require_safe() const {
  const std::string name(kBookFileName);
  const auto file = look(folder_ / kBookFileName);
  if (file) {
    require_safe_folder(folder_);
    require_safe_file(name, *file);
    if (file->st_size > kBytesMax) {
      refuse(name + " has " + std::to_string(file->st_size) + " bytes, more than it can have",
             "put a copy of it back");
    }
    for (const char* beside : {"-wal", "-shm"}) {
      const auto status = look(folder_ / (name + beside));
      if (status) require_safe_file(name + beside, *status);
    }
  } else if (look(folder_ / kBookMarkName)) {
    refuse(name + " is gone, although somebody was enrolled",
           "put a copy of it back; to begin with nobody enrolled, a person removes " +
               std::string(kBookMarkName) + " beside it");
  }
}

Db* BookFile::for_reading() {
  require_safe();
  return store_.for_reading();
}

Db& BookFile::for_writing() {
  require_safe();
  require_safe_folder(folder_);
  return store_.for_writing();
}

void BookFile::mark_enrolled() {
  const fs::path mark = folder_ / kBookMarkName;
  if (look(mark)) return;
  try {
    create_private_file(mark);
  } catch (const StoreFailure&) {
    // Another process may have made it between.
    if (!look(mark)) throw;
  }
  sync_folder(folder_);
}

}  // namespace phasegate::state
