#include "world/checks/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace phasegate::world::checks {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPrefix = "git-check-";

/// With the folders above it that are missing; they may be the project's whole state folder. What
/// fails is noticed when something is to be made in it.
void make_private_folder(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) == 0 || errno != ENOENT) return;
  const fs::path above = folder.parent_path();
  if (above.empty() || above == folder) return;
  make_private_folder(above);
  static_cast<void>(::mkdir(folder.c_str(), 0700));
}

/// The folder, locked by us; nothing if somebody else holds it or it has just been removed.
base::Descriptor locked(const fs::path& folder) {
  base::Descriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat found{};
  const bool ours = lock.open() && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0 &&
                    ::fstat(lock.get(), &found) == 0 && found.st_nlink > 0;
  return ours ? std::move(lock) : base::Descriptor();
}

/// Programs may leave folders behind that forbid their own removal, as module caches do.
void allow_removal(const fs::path& folder) {
  std::error_code failed;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, failed);
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code unknown;
    if (at->symlink_status(unknown).type() == fs::file_type::directory) allow_removal(at->path());
  }
}

void remove_folder(const fs::path& folder) {
  std::error_code failed;
  fs::remove_all(folder, failed);
  if (!failed) return;
  allow_removal(folder);
  fs::remove_all(folder, failed);
}

void remove_left_behind(const fs::path& scratch) {
  std::error_code failed;
  for (fs::directory_iterator at(scratch, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (!at->path().filename().string().starts_with(kPrefix)) continue;
    if (const base::Descriptor lock = locked(at->path()); lock.open()) remove_folder(at->path());
  }
}

}  // namespace

base::Result<ScratchFolder> ScratchFolder::make(const fs::path& scratch) {
  make_private_folder(scratch);
  remove_left_behind(scratch);
  const std::string shape = (scratch / kPrefix).string() + "XXXXXX";
  // Another process may take a folder for left behind before it is locked: then the next one.
  for (int attempt = 0; attempt < 10; ++attempt) {
    std::string path = shape;
    if (::mkdtemp(path.data()) == nullptr) break;
    if (base::Descriptor lock = locked(path); lock.open()) {
      return ScratchFolder(path, std::move(lock));
    }
  }
  return base::Error{"scratch_failed", "no temporary folder can be made in the project's state",
                     "see that the disk is not full and the state folder is writable", ""};
}

ScratchFolder::ScratchFolder(fs::path path, base::Descriptor lock)
    : path_(std::move(path)), lock_(std::move(lock)) {}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

ScratchFolder& ScratchFolder::operator=(ScratchFolder&& other) noexcept {
  if (this != &other) {
    remove();
    path_ = std::exchange(other.path_, {});
    lock_ = std::move(other.lock_);
  }
  return *this;
}

ScratchFolder::~ScratchFolder() {
  remove();
}

void ScratchFolder::remove() {
  if (!path_.empty()) remove_folder(path_);
}

}  // namespace phasegate::world::checks
