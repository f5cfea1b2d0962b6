#include "world/checks/opened_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"

namespace phasegate::world::checks {
namespace fs = std::filesystem;
using base::Descriptor;
using base::Error;
using base::Result;

namespace {

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
// O_NONBLOCK: opening a pipe must not wait for a writer, O_NOCTTY: a terminal must not become ours.
constexpr int kFileFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
constexpr std::size_t kNamesComparedMax = 1000;

/// One step down; nothing that is a link is stepped into. Sets errno if it fails.
Descriptor opened_at(int folder, const std::string& name, int flags) {
  while (true) {
    Descriptor opened(::openat(folder, name.c_str(), flags));
    if (opened.open() || errno != EINTR) return opened;
  }
}

/// Opens a relative path part by part without following a link. Sets errno if it fails.
Descriptor opened_without_links(const fs::path& root, std::string_view path, int flags) {
  Descriptor at(::open(root.c_str(), kFolderFlags));
  if (path.empty()) return at;
  const auto parts = base::split(path, '/');
  for (std::size_t i = 0; at.open() && i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    at = opened_at(at.get(), std::string(parts[i]), last ? flags : kFolderFlags);
  }
  return at;
}

Error problem(int code, const std::string& path) {
  const std::string name = shown_path(path);
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return {"not_found", name + " does not exist", "", path};
    case ELOOP:
      return {"unreadable", name + " is a loop of links, or became a link while it was opened", "",
              path};
    case ENXIO:  // a socket, or a device without a driver
      return {"not_a_file", name + " is not a regular file", "", path};
    case EACCES:
    case EPERM:
      return {"unreadable", name + " may not be read", "", path};
    default:
      return {"unreadable", name + " cannot be read: " + std::strerror(code), "", path};
  }
}

/// Where the links on the way lead, relative to the root.
Result<std::string> without_links(const fs::path& root, const std::string& path) {
  std::error_code failed;
  const fs::path target = fs::canonical(root / path, failed);
  if (failed) return problem(failed.value(), path);
  const auto [root_end, rest] =
      std::mismatch(root.begin(), root.end(), target.begin(), target.end());
  if (root_end != root.end()) {
    return Error{"outside_root", shown_path(path) + " is a link that leads out of the project",
                 "put the file itself into the project", path};
  }
  fs::path below;
  for (auto part = rest; part != target.end(); ++part) below /= *part;
  return below.string();
}

Result<Descriptor> opened_below(const fs::path& root, const std::string& path) {
  Descriptor direct = opened_without_links(root, path, kFileFlags);
  if (direct.open()) return direct;
  // ENOTDIR: a link in place of a folder.
  if (errno != ELOOP && errno != ENOTDIR) return problem(errno, path);
  const auto target = without_links(root, path);
  if (!target) return target.error();
  Descriptor followed = target->empty() ? Descriptor(::open(root.c_str(), kFolderFlags))
                                        : opened_without_links(root, *target, kFileFlags);
  if (!followed.open()) return problem(errno, path);
  return followed;
}

Result<Descriptor> opened_as_written(const std::string& path) {
  if (path.find('\0') != std::string::npos) {
    return Error{"invalid_path", shown_path(path) + " holds a control character", "", path};
  }
  Descriptor opened = opened_at(AT_FDCWD, path, kFileFlags & ~O_NOFOLLOW);
  if (!opened.open()) return problem(errno, path);
  return opened;
}

}  // namespace

Result<OpenedFile> OpenedFile::open(const fs::path& root, std::string_view path) {
  OpenedFile opened;
  if (path.starts_with('/')) {
    opened.path_ = path;
  } else {
    auto normalised = base::normalised_relative(path);
    if (!normalised) return normalised.error();
    opened.path_ = std::move(normalised).value();
  }
  auto file =
      path.starts_with('/') ? opened_as_written(opened.path_) : opened_below(root, opened.path_);
  if (!file) return file.error();
  opened.file_ = std::move(file).value();
  struct stat status{};
  if (::fstat(opened.file_.get(), &status) != 0) return problem(errno, opened.path_);
  opened.folder_ = S_ISDIR(status.st_mode);
  if (!opened.folder_ && !S_ISREG(status.st_mode)) return problem(ENXIO, opened.path_);
  opened.size_ = static_cast<std::uint64_t>(status.st_size);
  opened.modified_.ms =
      static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1000 + status.st_mtim.tv_nsec / 1'000'000;
  return opened;
}

Result<std::string> OpenedFile::bytes(std::size_t bytes_max) const {
  if (folder_) {
    return Error{"not_a_file", shown_path(path_) + " is a folder", "name a file in it", path_};
  }
  const Error too_large{
      "too_large", shown_path(path_) + " is larger than " + std::to_string(bytes_max) + " bytes",
      "", path_};
  if (size_ > bytes_max) return too_large;
  std::string bytes;
  bytes.reserve(size_);
  char buffer[64 * 1024];
  while (true) {
    const ssize_t got =
        ::pread(file_.get(), buffer, sizeof buffer, static_cast<off_t>(bytes.size()));
    if (got < 0) {
      if (errno == EINTR) continue;
      return problem(errno, path_);
    }
    if (got == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(got));
    // It may grow while it is read.
    if (bytes.size() > bytes_max) return too_large;
  }
}

Result<std::string> OpenedFile::sha256() const {
  const auto content = bytes(base::limits::kCheckedFileBytesMax);
  if (!content) return content.error();
  return base::sha256_hex(*content);
}

std::vector<std::string> OpenedFile::names(std::size_t names_max) const {
  std::vector<std::string> names;
  if (!folder_) return names;
  const int copy = ::openat(file_.get(), ".", kFolderFlags);
  if (copy < 0) return names;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(copy), ::closedir);
  while (entries != nullptr && names.size() < names_max) {
    const dirent* entry = ::readdir(entries.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string shown_path(std::string_view path) {
  constexpr std::size_t kShownBytesMax = 200;
  const bool plain = !path.empty() && std::all_of(path.begin(), path.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-+@").find(c) != std::string_view::npos;
  });
  const std::string text = base::shortened(path, kShownBytesMax);
  return plain ? text : base::in_quotes(text);
}

Result<std::string> file_digest(const fs::path& root, std::string_view path) {
  const auto file = OpenedFile::open(root, path);
  if (file) return file->sha256();
  if (file.error().code == "not_found") return std::string();
  return file.error();
}

std::string nearest_file_hint(const fs::path& root, std::string_view path) {
  // Names are told of the project only.
  const auto normalised = base::normalised_relative(path);
  if (!normalised) return "";
  const auto parts = base::split(*normalised, '/');
  std::string folder;
  for (const std::string_view part : parts) {
    const std::string whole = folder.empty() ? std::string(part) : folder + "/" + std::string(part);
    if (OpenedFile::open(root, whole)) {
      folder = whole;
      continue;
    }
    const auto names = [&]() -> std::vector<std::string> {
      if (!folder.empty()) {
        const auto opened = OpenedFile::open(root, folder);
        return opened ? opened->names(kNamesComparedMax) : std::vector<std::string>{};
      }
      const auto opened = OpenedFile::open("/", root.string());
      return opened ? opened->names(kNamesComparedMax) : std::vector<std::string>{};
    }();
    const auto near = base::nearest_name(part, names);
    const std::string prefix = folder.empty() ? "" : folder + "/";
    if (near) return "did you mean " + shown_path(prefix + *near) + "?";
    if (whole == *normalised) return "";
    return "there is no folder " + shown_path(whole);
  }
  return "";
}

Result<Descriptor> open_folder_without_links(const fs::path& root, const std::string& path) {
  Descriptor folder = opened_without_links(root, path, kFolderFlags);
  if (folder.open()) return folder;
  if (errno == ELOOP) return problem(ENOENT, path);
  return problem(errno, path);
}

}  // namespace phasegate::world::checks
