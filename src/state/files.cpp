#include "state/files.h"

#include <cerrno>
#include <ctime>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ids.h"
#include "state/db_failure.h"
#include "state/file_calls.h"

namespace phasegate::state {
namespace fs = std::filesystem;

void make_private_folder(const fs::path& folder) {
  std::vector<fs::path> missing;
  for (fs::path at = folder; !at.empty(); at = at.parent_path()) {
    struct stat status{};
    if (::stat(at.c_str(), &status) == 0) {
      if (!S_ISDIR(status.st_mode)) throw_errno(ENOTDIR, "cannot be made");
      break;
    }
    if (errno != ENOENT) throw_errno(errno, "cannot be reached");
    missing.push_back(at);
    if (at == at.parent_path()) break;
  }
  for (auto at = missing.rbegin(); at != missing.rend(); ++at) {
    // EEXIST: another process made it at the same moment.
    if (::mkdir(at->c_str(), 0700) != 0 && errno != EEXIST) throw_errno(errno, "cannot be made");
    sync_folder(at->parent_path());
  }
}

void create_private_file(const fs::path& file) {
  const auto fd = open_file(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (!fd.open()) throw_errno(errno, "cannot be written");
}

void sync_folder(const fs::path& folder) {
  const fs::path& opened = folder.empty() ? fs::path(".") : folder;
  const auto fd = open_file(opened, O_RDONLY | O_DIRECTORY);
  // A folder that may be written but not read cannot be synced; its content is none the worse.
  if (!fd.open() && errno == EACCES) return;
  if (!fd.open()) throw_errno(errno, "cannot be opened");
  // EINVAL: this kind of file system has no such thing.
  if (!sync_file(fd.get()) && errno != EINVAL) throw_errno(errno, "cannot be synced");
}

fs::path unfinished_name(const fs::path& file) {
  base::SystemIdSource ids;
  return file.string() + ".new-" + ids.new_id();
}

UnfinishedFile::UnfinishedFile(const fs::path& file)
    : path_(unfinished_name(file)), cleanup_(path_) {
  create_private_file(path_);
  lock_ = open_file(path_, O_RDWR | O_APPEND | O_NOFOLLOW);
  // Where locks are not known the file's age alone says that it is in use.
  if (!lock_.open()) throw_errno(errno, "cannot be written");
  static_cast<void>(::flock(lock_.get(), LOCK_EX | LOCK_NB));
}

void UnfinishedFile::append(std::string_view bytes) {
  if (!write_whole(lock_.get(), bytes)) throw_errno(errno, "cannot be written");
}

void UnfinishedFile::sync() {
  if (!sync_file(lock_.get())) throw_errno(errno, "cannot be synced");
}

bool give_name(const fs::path& unfinished, const fs::path& to) {
  if (::link(unfinished.c_str(), to.c_str()) == 0) return true;
  if (errno == EEXIST) return false;
  // A file system without links, as on many a memory stick, can still name without replacing.
  if (errno != EPERM && errno != EOPNOTSUPP) throw_errno(errno, "cannot hold a new file");
  if (::renameat2(AT_FDCWD, unfinished.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
    return true;
  }
  if (errno == EEXIST) return false;
  throw_errno(errno, "cannot hold a new file");
}

namespace {

/// Whether nobody works on it any more. Opened only once it is old: a descriptor of ours on a file
/// that this process uses as a database would, when closed, drop SQLite's locks.
bool is_left_over(const fs::path& file) {
  struct stat status{};
  if (::lstat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (status.st_uid != ::geteuid()) return false;
  if (::time(nullptr) - status.st_mtim.tv_sec < kLeftoverSeconds) return false;
  // It has got its name and lost its process before this one was taken away.
  if (status.st_nlink > 1) return true;
  const auto fd = open_file(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  return fd.open() && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

int remove_leftovers(const fs::path& folder, std::string_view prefix) noexcept {
  int removed = 0;
  try {
    const std::string begin = std::string(prefix) + ".new-";
    std::vector<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
      const std::string name = entry->path().filename().string();
      const bool beside = name.ends_with("-wal") || name.ends_with("-shm");
      if (name.starts_with(begin) && !beside && !name.ends_with("-journal")) {
        found.push_back(entry->path());
      }
    }
    for (const fs::path& file : found) {
      if (!is_left_over(file)) continue;
      const RemoveOnExit now(file);
      ++removed;
    }
  } catch (const std::exception&) {
    // What is not removed now is removed later.
    return removed;
  }
  return removed;
}

RemoveOnExit::~RemoveOnExit() {
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
    std::error_code ignored;
    fs::remove(file_.string() + suffix, ignored);
  }
}

}  // namespace phasegate::state
