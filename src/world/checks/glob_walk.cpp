#include "world/checks/glob_walk.h"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/text.h"
#include "world/checks/opened_file.h"

namespace phasegate::world::checks {

using base::Error;
using base::Result;

namespace {

/// Far more than people nest; each folder is opened from the root on.
constexpr std::ptrdiff_t kDepthMax = 256;

using OpenFolder = std::unique_ptr<DIR, int (*)(DIR*)>;

Error unreadable(const std::string& folder) {
  const std::string name = folder.empty() ? "the project's folder" : base::in_quotes(folder);
  return {"unreadable", name + " cannot be looked through", "", folder};
}

Result<OpenFolder> opened(const std::filesystem::path& root, const std::string& path) {
  auto folder = open_folder_without_links(root, path);
  if (!folder) return folder.error();
  // fdopendir takes a descriptor over: it gets one of its own.
  const int copy = ::fcntl(folder->get(), F_DUPFD_CLOEXEC, 0);
  OpenFolder entries(copy < 0 ? nullptr : ::fdopendir(copy), ::closedir);
  if (entries == nullptr) return unreadable(path);
  return entries;
}

mode_t type_of(DIR* folder, const dirent& entry) {
  if (entry.d_type == DT_REG) return S_IFREG;
  if (entry.d_type == DT_DIR) return S_IFDIR;
  if (entry.d_type == DT_LNK) return S_IFLNK;
  if (entry.d_type != DT_UNKNOWN) return 0;
  struct stat status{};
  if (::fstatat(::dirfd(folder), entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) return 0;
  return status.st_mode & static_cast<mode_t>(S_IFMT);
}

Error too_deep(const std::string& path) {
  return {"too_deep",
          "there are folders within each other more than " + std::to_string(kDepthMax) + " deep",
          "take them away, or leave them out: !" + path.substr(0, path.find('/')) + "/", ""};
}

/// Whether a link counts as a file.
Result<bool> is_file(const std::filesystem::path& root, const std::string& path) {
  const auto target = OpenedFile::open(root, path);
  if (target) return !target->is_folder();
  if (target.error().code == "outside_root") return target.error();
  return false;
}

}  // namespace

Result<std::vector<std::string>> list_matching(const std::filesystem::path& root,
                                               const Globs& globs, Entries entries_wanted,
                                               std::size_t files_max) {
  std::vector<std::string> found;
  std::vector<std::string> folders{""};
  std::size_t seen = 0;
  while (!folders.empty()) {
    const std::string folder = std::move(folders.back());
    folders.pop_back();
    const auto entries = opened(root, folder);
    if (!entries) {
      // A folder that has gone, or has become a link, since it was listed.
      if (entries.error().code == "not_found" && !folder.empty()) continue;
      return unreadable(folder);
    }
    while (true) {
      errno = 0;
      const dirent* entry = ::readdir(entries->get());
      if (entry == nullptr) {
        if (errno != 0) return unreadable(folder);
        break;
      }
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (++seen > files_max) {
        return Error{"too_many",
                     "more than " + std::to_string(files_max) +
                         " files and folders would have to be looked through",
                     "name the folders that matter, or take some away: !node_modules/", ""};
      }
      std::string path = folder.empty() ? std::string(name) : folder + "/" + std::string(name);
      const mode_t type = type_of(entries->get(), *entry);
      if (type == S_IFDIR) {
        if (!globs.may_match_below(path)) continue;
        if (std::count(path.begin(), path.end(), '/') >= kDepthMax) return too_deep(path);
        folders.push_back(std::move(path));
      } else if (globs.matches(path)) {
        if (type != S_IFREG && entries_wanted == Entries::files) {
          const auto counts = type == S_IFLNK ? is_file(root, path) : Result<bool>(false);
          if (!counts) return counts.error();
          if (!*counts) continue;
        }
        found.push_back(std::move(path));
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

Result<std::vector<std::string>> list_matching(const std::filesystem::path& root,
                                               const Globs& globs, Entries entries) {
  return list_matching(root, globs, entries, base::limits::kCheckedFilesMax);
}

}  // namespace phasegate::world::checks
