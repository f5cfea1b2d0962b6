#include "base/paths.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/text.h"

namespace phasegate::base {
namespace fs = std::filesystem;
namespace {

bool is_below(const fs::path& root, const fs::path& path) {
  const auto [root_end, unused] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return root_end == root.end();
}

}  // namespace

Result<std::string> normalised_relative(std::string_view path) {
  if (path.empty()) return Error{"invalid_path", "the path is empty", "", ""};
  if (path.front() == '/') {
    return Error{"invalid_path", in_quotes(path) + " is absolute",
                 "give a path relative to the root", ""};
  }
  for (const char c : path) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      return Error{"invalid_path", in_quotes(path) + " holds a control character", "", ""};
    }
  }
  std::vector<std::string_view> parts;
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (parts.empty()) {
        return Error{"invalid_path", in_quotes(path) + " climbs above its root",
                     "give a path inside the root", ""};
      }
      parts.pop_back();
      continue;
    }
    parts.push_back(part);
  }
  if (parts.empty()) return Error{"invalid_path", in_quotes(path) + " names no file", "", ""};
  std::string out;
  for (const std::string_view part : parts) {
    if (!out.empty()) out += '/';
    out += part;
  }
  return out;
}

Result<std::string> read_file_below(const fs::path& root, std::string_view relative,
                                    std::size_t bytes_max) {
  const auto normalised = normalised_relative(relative);
  if (!normalised) return normalised.error();
  std::error_code failed;
  const fs::path canonical_root = fs::canonical(root, failed);
  if (failed) return Error{"not_found", "the folder does not exist", "", ""};
  const fs::path path = fs::canonical(canonical_root / *normalised, failed);
  if (failed) {
    if (failed == std::errc::permission_denied) {
      return Error{"unreadable", in_quotes(*normalised) + " may not be read", "", *normalised};
    }
    if (failed == std::errc::too_many_symbolic_link_levels) {
      return Error{"unreadable", in_quotes(*normalised) + " is a loop of links", "", *normalised};
    }
    return Error{"not_found", in_quotes(*normalised) + " does not exist", "", *normalised};
  }
  if (!is_below(canonical_root, path)) {
    return Error{"outside_root", in_quotes(*normalised) + " is a link that leads out of its folder",
                 "put the file itself into the folder", *normalised};
  }
  // O_NONBLOCK: opening a pipe must not wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file.get() < 0) {
    return Error{"unreadable", in_quotes(*normalised) + " cannot be read: " + std::strerror(errno),
                 "", *normalised};
  }
  struct stat status{};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return Error{"not_a_file", in_quotes(*normalised) + " is not a regular file", "", *normalised};
  }
  std::string bytes;
  bytes.reserve(std::min<std::size_t>(static_cast<std::size_t>(status.st_size), bytes_max));
  char buffer[64 * 1024];
  while (true) {
    const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
    if (got < 0) {
      if (errno == EINTR) continue;
      return Error{"unreadable",
                   in_quotes(*normalised) + " cannot be read: " + std::strerror(errno), "",
                   *normalised};
    }
    if (got == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(got));
    if (bytes.size() > bytes_max) {
      return Error{
          "too_large",
          in_quotes(*normalised) + " is larger than " + std::to_string(bytes_max) + " bytes", "",
          *normalised};
    }
  }
}

Result<std::vector<std::string>> list_files_below(const fs::path& root, std::size_t files_max,
                                                  std::size_t depth_max) {
  std::error_code failed;
  const fs::path canonical_root = fs::canonical(root, failed);
  if (failed) return Error{"not_found", "the folder does not exist", "", ""};
  fs::recursive_directory_iterator entries(canonical_root,
                                           fs::directory_options::skip_permission_denied, failed);
  if (failed) return Error{"unreadable", "the folder cannot be read: " + failed.message(), "", ""};
  std::vector<std::string> files;
  for (; entries != fs::recursive_directory_iterator(); entries.increment(failed)) {
    const fs::directory_entry& entry = *entries;
    const std::string name = entry.path().filename().string();
    std::error_code ignored;
    if (name.starts_with('.')) {
      if (entry.is_directory(ignored)) entries.disable_recursion_pending();
      continue;
    }
    if (static_cast<std::size_t>(entries.depth()) + 1 >= depth_max) {
      entries.disable_recursion_pending();
    }
    if (!entry.is_regular_file(ignored)) continue;
    if (entry.is_symlink(ignored)) {
      const fs::path target = fs::canonical(entry.path(), ignored);
      if (ignored || !is_below(canonical_root, target)) continue;
    }
    files.push_back(entry.path().lexically_relative(canonical_root).generic_string());
    if (files.size() > files_max) {
      return Error{"too_many", "the folder holds more than " + std::to_string(files_max) + " files",
                   "", ""};
    }
  }
  // A walk that fails ends early: half a list must not pass for the whole.
  if (failed) return Error{"unreadable", "the folder cannot be read: " + failed.message(), "", ""};
  std::sort(files.begin(), files.end());
  return files;
}

fs::path home_folder() {
  const struct passwd* entry = ::getpwuid(::getuid());
  return entry == nullptr || entry->pw_dir == nullptr ? fs::path() : fs::path(entry->pw_dir);
}

}  // namespace phasegate::base
