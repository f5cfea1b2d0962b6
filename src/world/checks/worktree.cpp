#include "world/checks/worktree.h"

#include <array>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/text.h"
#include "world/checks/guarded_files.h"
#include "world/checks/tree_entry.h"

namespace phasegate::world::checks {
namespace fs = std::filesystem;
using base::Descriptor;

namespace {

/// The folder of `path` within the tree; what is no folder on the way gives place to one.
Descriptor make_folder_of(const fs::path& tree, const std::string& path) {
  constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  Descriptor folder(::open(tree.c_str(), kFolder));
  const auto parts = base::split(path, '/');
  for (std::size_t i = 0; folder.open() && i + 1 < parts.size(); ++i) {
    const std::string part(parts[i]);
    int next = ::openat(folder.get(), part.c_str(), kFolder);
    if (next < 0) {
      ::unlinkat(folder.get(), part.c_str(), 0);
      if (::mkdirat(folder.get(), part.c_str(), 0777) != 0) return {};
      next = ::openat(folder.get(), part.c_str(), kFolder);
    }
    folder = Descriptor(next);
  }
  return folder;
}

bool write_all(int to, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t written = ::write(to, bytes, count);
    if (written <= 0) return false;
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
  return true;
}

bool copy_bytes(int from, int to) {
  std::array<char, 1U << 16U> buffer{};
  for (;;) {
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got <= 0) return got == 0;
    if (!write_all(to, buffer.data(), static_cast<std::size_t>(got))) return false;
  }
}

bool copy_link(int from, int to, const std::string& name) {
  std::array<char, 4096> target{};
  const ssize_t length = ::readlinkat(from, name.c_str(), target.data(), target.size() - 1);
  return length > 0 && target[0] != '/' && ::symlinkat(target.data(), to, name.c_str()) == 0;
}

bool copy_file(int from, int to, const std::string& name) {
  const Descriptor source(
      ::openat(from, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found{};
  if (!source.open() || ::fstat(source.get(), &found) != 0 || !S_ISREG(found.st_mode)) return false;
  const Descriptor copy(::openat(to, name.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                 (found.st_mode & 0777U) | 0600U));
  return copy.open() && copy_bytes(source.get(), copy.get());
}

bool put(const fs::path& root, const fs::path& tree, const std::string& path) {
  const Descriptor from = open_folder_of(root, path);
  const Descriptor to = make_folder_of(tree, path);
  const std::string name = last_part(path);
  struct stat found{};
  if (!from.open() || !to.open() ||
      ::fstatat(from.get(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) {
    return false;
  }
  ::unlinkat(to.get(), name.c_str(), 0);
  if (S_ISLNK(found.st_mode)) return copy_link(from.get(), to.get(), name);
  return copy_file(from.get(), to.get(), name);
}

}  // namespace

base::Result<bool> lay_over(const std::vector<std::string>& globs, const Place& project,
                            const fs::path& tree) {
  const auto now = guarded_files(globs, project);
  const auto then = guarded_files(globs, {tree, project.environment, project.scratch});
  if (!now) return now.error();
  if (!then) return then.error();
  for (const auto& [path, digest] : *then) {
    if (now->contains(path)) continue;
    const Descriptor folder = open_folder_of(tree, path);
    if (folder.open()) ::unlinkat(folder.get(), last_part(path).c_str(), 0);
  }
  for (const auto& [path, digest] : *now) {
    const auto before = then->find(path);
    if (before != then->end() && same_entry(before->second, digest)) continue;
    if (!put(project.root, tree, path)) {
      return base::Error{"worktree_failed",
                         base::in_quotes(base::to_utf8(path)) +
                             " cannot be copied to where the tests run at the start",
                         "it must be a file, or a link to a relative path", ""};
    }
  }
  return *now != *then;
}

}  // namespace phasegate::world::checks
