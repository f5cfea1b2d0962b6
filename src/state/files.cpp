#include "state/files.h"

#include <cerrno>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ids.h"
#include "state/db_failure.h"

namespace phasegate::state {
namespace fs = std::filesystem;
namespace {

/// Makes a call again that a signal has interrupted, as it may on a file system behind a network.
template <typename Call>
int uninterrupted(Call call) {
  int result = -1;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

}  // namespace

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
  const int fd = uninterrupted([&] {
    return ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  });
  if (fd < 0) throw_errno(errno, "cannot be written");
  ::close(fd);
}

void sync_folder(const fs::path& folder) {
  const fs::path& opened = folder.empty() ? fs::path(".") : folder;
  const int fd =
      uninterrupted([&] { return ::open(opened.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  // A folder that may be written but not read cannot be synced; its content is none the worse.
  if (fd < 0 && errno == EACCES) return;
  if (fd < 0) throw_errno(errno, "cannot be opened");
  const int result = uninterrupted([&] { return ::fsync(fd); });
  const int error_number = errno;
  ::close(fd);
  // EINVAL: this kind of file system has no such thing.
  if (result != 0 && error_number != EINVAL) throw_errno(error_number, "cannot be synced");
}

fs::path unfinished_name(const fs::path& file) {
  base::SystemIdSource ids;
  return file.string() + ".new-" + ids.new_id();
}

RemoveOnExit::~RemoveOnExit() {
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
    std::error_code ignored;
    fs::remove(file_.string() + suffix, ignored);
  }
}

}  // namespace phasegate::state
