#include "world/database/backup_folder.h"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/text.h"

namespace phasegate::world::database {
using base::Descriptor;
using base::Error;
using base::Result;
namespace {

constexpr const char* kBackups = "backups";
constexpr mode_t kPrivateFolder = 0700;
constexpr std::string_view kUnfinished = ".unfinished-";
constexpr std::size_t kNamesMax = 100'000;

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

}  // namespace

Result<std::vector<std::string>> names_in(const BackupFolder& folder) {
  const int again = ::openat(folder.descriptor.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, CloseFolder> entries(again < 0 ? nullptr : ::fdopendir(again));
  if (entries == nullptr) {
    return describe_errno(errno, base::in_quotes(folder.path) + " cannot be read");
  }
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    names.emplace_back(entry->d_name);
    if (names.size() > kNamesMax) {
      return Error{"too_many", base::in_quotes(folder.path) + " holds too many files",
                   "move some of them away", folder.path};
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string BackupFolder::path_of(std::string_view name) const {
  return path + "/" + std::string(name);
}

Result<BackupFolder> open_backup_folder(const Place& place, bool make) {
  BackupFolder folder;
  folder.path = place.folder().empty() ? kBackups : place.folder() + "/" + kBackups;
  const Descriptor above = open_folder(place.root, place.folder());
  const std::string shown = base::in_quotes(folder.path);
  if (!above.open() && errno == ENOENT) {
    return Error{"not_found", shown + " does not exist", "", folder.path};
  }
  if (!above.open())
    return describe_errno(errno, "the folder above " + shown + " cannot be opened");
  if (make && ::mkdirat(above.get(), kBackups, kPrivateFolder) != 0 && errno != EEXIST) {
    return describe_errno(errno, shown + " cannot be made");
  }
  folder.descriptor.reset(
      ::openat(above.get(), kBackups, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder.descriptor.open()) return folder;
  if (errno == ENOENT) return Error{"not_found", shown + " does not exist", "", folder.path};
  if (errno == ENOTDIR || errno == ELOOP) {
    return Error{"outside_root", shown + " is a link or no folder; copies are kept in a folder",
                 "move it away and repeat", folder.path};
  }
  return describe_errno(errno, shown + " cannot be opened");
}

Result<void> sync(const BackupFolder& folder, const std::string& name) {
  const int at = folder.descriptor.get();
  const Descriptor file(::openat(at, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  // EINVAL: this kind of file system has no such thing for folders.
  if (!file.open() || ::fsync(file.get()) != 0 || (::fsync(at) != 0 && errno != EINVAL)) {
    return describe_errno(errno, base::in_quotes(folder.path_of(name)) + " cannot be synced");
  }
  return {};
}

std::optional<std::int64_t> file_size(const BackupFolder& folder, const std::string& name) {
  struct stat status{};
  if (::fstatat(folder.descriptor.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
      !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  return status.st_size;
}

Result<bool> give_name(const BackupFolder& folder, const std::string& from, const std::string& to) {
  const int at = folder.descriptor.get();
  if (::linkat(at, from.c_str(), at, to.c_str(), 0) == 0) {
    ::unlinkat(at, from.c_str(), 0);
    return true;
  }
  if (errno == EEXIST) return false;
  // A file system without hard links: the lock keeps others of us from taking the name meanwhile.
  if (errno == EPERM || errno == EOPNOTSUPP) {
    struct stat status{};
    if (::fstatat(at, to.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return false;
    if (::renameat(at, from.c_str(), at, to.c_str()) == 0) return true;
  }
  return describe_errno(errno, "the copy in " + base::in_quotes(folder.path) + " cannot be named");
}

Result<FileState> state_of(const BackupFolder& folder, const std::string& name) {
  const std::string shown = base::in_quotes(folder.path_of(name));
  const Descriptor file(::openat(folder.descriptor.get(), name.c_str(),
                                 O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status{};
  if (!file.open() && errno == ENOENT) return Error{"not_found", shown + " does not exist", "", ""};
  if (!file.open() || ::fstat(file.get(), &status) != 0) {
    return describe_errno(errno, shown + " cannot be read");
  }
  if (!S_ISREG(status.st_mode)) {
    return Error{"not_a_file", shown + " is not a regular file", "", ""};
  }
  base::Sha256 hash;
  FileState state;
  std::string buffer(64U << 10U, '\0');
  while (true) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return describe_errno(errno, shown + " cannot be read");
    if (got == 0) break;
    hash.add({buffer.data(), static_cast<std::size_t>(got)});
    state.size += got;
  }
  state.sha256 = hash.hex();
  return state;
}

Result<Unfinished> Unfinished::make(const BackupFolder& folder, std::string_view id) {
  std::string name = std::string(kUnfinished) + std::string(id);
  const Descriptor made(::openat(folder.descriptor.get(), name.c_str(),
                                 O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!made.open()) {
    return describe_errno(errno, base::in_quotes(folder.path) + " cannot be written");
  }
  return Unfinished(folder, std::move(name));
}

Unfinished::~Unfinished() {
  if (folder_ == nullptr) return;
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
    ::unlinkat(folder_->descriptor.get(), (name_ + suffix).c_str(), 0);
  }
}

Result<void> Unfinished::remove_leftovers(const BackupFolder& folder) {
  const auto names = names_in(folder);
  if (!names) return names.error();
  for (const std::string& name : *names) {
    if (name.starts_with(kUnfinished)) ::unlinkat(folder.descriptor.get(), name.c_str(), 0);
  }
  return {};
}

}  // namespace phasegate::world::database
