#include "rag/source_paths.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace phasegate::rag {
namespace fs = std::filesystem;
using base::Descriptor;

namespace {

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr int kBytes = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
#ifdef O_PATH
constexpr int kStamp = O_PATH | O_NOFOLLOW | O_CLOEXEC;
#else
constexpr int kStamp = kBytes;
#endif

Descriptor opened_at(int folder, const std::string& name, int flags) {
  while (true) {
    Descriptor opened(::openat(folder, name.c_str(), flags));
    if (opened.open() || errno != EINTR) return opened;
  }
}

Descriptor opened(const fs::path& root, std::string_view path, int flags) {
  Descriptor at = opened_at(AT_FDCWD, root.string(), kFolder);
  while (at.open() && !path.empty()) {
    const std::size_t slash = path.find('/');
    const bool last = slash == std::string_view::npos;
    at = opened_at(at.get(), std::string(path.substr(0, slash)), last ? flags : kFolder);
    path.remove_prefix(last ? path.size() : slash + 1);
  }
  return at;
}

}  // namespace

Descriptor open_folder(const fs::path& root, std::string_view path) {
  return opened(root, path, kFolder);
}

bool is_passing(int code) {
  switch (code) {
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EIO:
    case ESTALE:
    case ETIMEDOUT:
      return true;
    default:
      return false;
  }
}

Descriptor open_file(const fs::path& root, std::string_view path, Hold hold) {
  Descriptor file = opened(root, path, hold == Hold::bytes ? kBytes : kStamp);
  struct stat status{};
  // O_PATH opens a link itself.
  if (file.open() && ::fstat(file.get(), &status) == 0 && S_ISLNK(status.st_mode)) {
    file.reset();
    errno = ELOOP;
  }
  return file;
}

std::optional<LinkTarget> link_target(const fs::path& root, std::string_view path) {
  std::error_code failed;
  const fs::path target = fs::canonical(root / path, failed);
  if (failed) {
    errno = failed.value();
    return std::nullopt;
  }
  const auto [root_end, rest] =
      std::mismatch(root.begin(), root.end(), target.begin(), target.end());
  if (root_end != root.end()) return LinkTarget{"", true};
  fs::path below;
  for (auto part = rest; part != target.end(); ++part) below /= *part;
  return LinkTarget{below.string(), false};
}

std::optional<std::vector<FolderEntry>> entries_of(const Descriptor& folder,
                                                   std::size_t entries_max) {
  // fdopendir takes a descriptor over: it gets one of its own.
  const int copy = ::openat(folder.get(), ".", kFolder);
  if (copy < 0) return std::nullopt;
  std::unique_ptr<DIR, int (*)(DIR*)> open(::fdopendir(copy), ::closedir);
  if (open == nullptr) {
    const int why = errno;
    ::close(copy);
    errno = why;
    return std::nullopt;
  }
  std::vector<FolderEntry> found;
  int failed = 0;
  while (found.size() <= entries_max) {
    errno = 0;
    const dirent* entry = ::readdir(open.get());
    if (entry == nullptr) {
      failed = errno;
      break;
    }
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") found.push_back({std::string(name), entry->d_type});
  }
  open.reset();
  if (failed != 0) {
    errno = failed;
    return std::nullopt;
  }
  std::sort(found.begin(), found.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return found;
}

std::optional<std::string> bytes_of(const Descriptor& file, std::size_t bytes_max) {
  std::string bytes;
  std::string buffer(64U << 10U, '\0');
  while (bytes.size() <= bytes_max) {
    const ssize_t got =
        ::pread(file.get(), buffer.data(), buffer.size(), static_cast<off_t>(bytes.size()));
    if (got < 0) {
      if (errno == EINTR) continue;
      return std::nullopt;
    }
    if (got == 0) return bytes;
    bytes.append(buffer, 0, static_cast<std::size_t>(got));
  }
  errno = 0;
  return std::nullopt;
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string path_in(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name) : std::string(folder) + "/" + std::string(name);
}

bool lies_in(std::string_view path, std::string_view folder) {
  if (folder.empty()) return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::size_t depth_of(std::string_view path) {
  if (path.empty()) return 0;
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) + 1;
}

}  // namespace phasegate::rag
