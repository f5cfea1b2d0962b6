#include "world/checks/tree_entry.h"

#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"

namespace phasegate::world::checks {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLinkBytesMax = 4096;
constexpr std::string_view kExecutable = "+x";

using Kind = TreeEntry::Kind;

TreeEntry unknown(Kind kind) {
  return {kind, std::string(kUnknownEntry)};
}

/// Size and times of a file that is too large to be read each time. Its change time cannot be set.
std::string digest_of_stamp(const struct stat& found) {
  base::Digest digest;
  for (const auto number :
       {std::int64_t{found.st_size}, std::int64_t{found.st_mtim.tv_sec},
        std::int64_t{found.st_mtim.tv_nsec}, std::int64_t{found.st_ctim.tv_sec},
        std::int64_t{found.st_ctim.tv_nsec}, static_cast<std::int64_t>(found.st_ino)}) {
    digest.add(std::to_string(number));
  }
  return digest.hex();
}

/// Git knows no other mode either: rights for others than the owner are the machine's business.
std::string with_mode(std::string digest, const struct stat& found) {
  return (found.st_mode & S_IXUSR) != 0 ? std::move(digest) + std::string(kExecutable)
                                        : std::move(digest);
}

TreeEntry look_at_file(int folder, const std::string& name) {
  const base::Descriptor file(
      ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found{};
  if (!file.open() || ::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode)) {
    return unknown(Kind::file);
  }
  if (static_cast<std::uint64_t>(found.st_size) > base::limits::kCheckedFileBytesMax) {
    return {Kind::file, digest_of_stamp(found)};
  }
  std::string bytes(static_cast<std::size_t>(found.st_size) + 1, '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0) return unknown(Kind::file);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  // Longer than it was a moment ago: it is being written.
  if (filled == bytes.size()) return unknown(Kind::file);
  return {Kind::file,
          with_mode(base::sha256_hex(std::string_view(bytes).substr(0, filled)), found)};
}

TreeEntry look_at_link(int folder, const std::string& name, const fs::path& root,
                       std::string_view path) {
  std::string target(kLinkBytesMax, '\0');
  const ssize_t length = ::readlinkat(folder, name.c_str(), target.data(), target.size());
  if (length < 0) return unknown(Kind::link);
  target.resize(static_cast<std::size_t>(length));
  base::Digest digest;
  digest.add("link").add(target);
  const auto there = base::read_file_below(root, path, base::limits::kCheckedFileBytesMax);
  digest.add(there ? base::sha256_hex(*there) : there.error().code);
  return {Kind::link, digest.hex()};
}

}  // namespace

base::Descriptor open_folder_of(const fs::path& root, std::string_view path) {
  base::Descriptor folder(::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const auto parts = base::split(path, '/');
  for (std::size_t i = 0; folder.open() && i + 1 < parts.size(); ++i) {
    if (parts[i].empty() || parts[i] == "." || parts[i] == "..") return {};
    folder = base::Descriptor(::openat(folder.get(), std::string(parts[i]).c_str(),
                                       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  }
  return folder;
}

std::string last_part(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

TreeEntry look_at(const fs::path& root, std::string_view path) {
  const base::Descriptor folder = open_folder_of(root, path);
  const std::string name = last_part(path);
  if (!folder.open() || name.empty() || name == "." || name == "..") return {};
  struct stat found{};
  if (::fstatat(folder.get(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) return {};
  if (S_ISREG(found.st_mode)) return look_at_file(folder.get(), name);
  if (S_ISLNK(found.st_mode)) return look_at_link(folder.get(), name, root, path);
  return unknown(Kind::other);
}

bool same_entry(std::string_view a, std::string_view b) {
  return a == b && a != kUnknownEntry;
}

std::vector<std::string> entries_within(const fs::path& root, const std::string& folder,
                                        std::size_t files_max, bool& whole) {
  whole = true;
  std::vector<std::string> found;
  std::error_code failed;
  fs::recursive_directory_iterator at(root / folder, failed);
  for (const fs::recursive_directory_iterator end; !failed && at != end; at.increment(failed)) {
    std::error_code unknown_kind;
    const auto type = at->symlink_status(unknown_kind).type();
    if (at->path().filename() == ".git") {
      if (type == fs::file_type::directory) at.disable_recursion_pending();
      continue;
    }
    if (type == fs::file_type::directory) continue;
    if (found.size() == files_max) {
      whole = false;
      break;
    }
    found.push_back(folder + "/" + at->path().lexically_relative(root / folder).generic_string());
  }
  if (failed) whole = false;
  return found;
}

}  // namespace phasegate::world::checks
