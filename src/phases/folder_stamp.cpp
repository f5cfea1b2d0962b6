#include "phases/folder_stamp.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <sys/stat.h>

#include "base/limits.h"

namespace phasegate::phases {
namespace fs = std::filesystem;
namespace {

/// Times in a file system advance in steps, of two seconds at the most. What changes twice within a
/// step shows the same time.
constexpr std::int64_t kCoarsestStepNs = 2'000'000'000;

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

}  // namespace

/// Follows links, because a link's target is what is read. Change time and inode are in it too: a
/// file replaced by another of the same size and modification time is another file.
Stamp::Status Stamp::status_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {status.st_mode,
          status.st_size,
          status.st_dev,
          status.st_ino,
          nanoseconds(status.st_mtim),
          nanoseconds(status.st_ctim)};
}

Stamp Stamp::of_file(const fs::path& file, const fs::path& beside) {
  Stamp stamp;
  stamp.entries_.push_back({file.string(), status_of(file.string())});
  if (!beside.empty()) stamp.entries_.push_back({beside.string(), status_of(beside.string())});
  stamp.reliable_ = true;
  return stamp;
}

Stamp Stamp::of_folder(const fs::path& folder, base::TimePoint now) {
  Stamp stamp;
  // A folder is looked at before it is listed: what is added meanwhile changes what was seen.
  stamp.entries_.push_back({folder.string(), status_of(folder.string())});
  std::error_code failed;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                      failed);
  bool whole = true;
  for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    if (stamp.entries_.size() > base::limits::kWorkflowFilesMax * 2) {
      whole = false;
      break;
    }
    const bool hidden = at->path().filename().string().starts_with('.');
    if (hidden || static_cast<std::size_t>(at.depth()) + 1 >= base::limits::kFolderDepthMax) {
      at.disable_recursion_pending();
    }
    if (!hidden) stamp.entries_.push_back({at->path().string(), status_of(at->path().string())});
  }
  // The order in which a directory lists its entries is nobody's promise.
  std::sort(stamp.entries_.begin(), stamp.entries_.end(),
            [](const Entry& a, const Entry& b) { return a.path < b.path; });
  const std::int64_t settled_ns = now.ms * 1'000'000 - kCoarsestStepNs;
  stamp.reliable_ =
      whole && !failed &&
      std::none_of(stamp.entries_.begin(), stamp.entries_.end(), [&](const Entry& entry) {
        // Not every file system has a time of change.
        return S_ISDIR(entry.status.mode) &&
               std::max(entry.status.modified_ns, entry.status.changed_ns) > settled_ns;
      });
  return stamp;
}

bool Stamp::holds() const {
  return reliable_ && std::all_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
           return entry.status == status_of(entry.path);
         });
}

}  // namespace phasegate::phases
