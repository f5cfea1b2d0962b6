#include "phases/folder_stamp.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include <sys/stat.h>

#include "base/hash.h"
#include "base/limits.h"

namespace phasegate::phases {
namespace fs = std::filesystem;

/// Follows links, because a link's target is what is read. Change time and inode are in it too: a
/// file replaced by another of the same size and modification time is another file.
std::string file_stamp(const fs::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return "?";
  const auto number = [](auto value) { return std::to_string(value) + " "; };
  return number(status.st_mode) + number(status.st_size) + number(status.st_ino) +
         number(status.st_mtim.tv_sec) + number(status.st_mtim.tv_nsec) +
         number(status.st_ctim.tv_sec) + number(status.st_ctim.tv_nsec);
}

std::string folder_stamp(const fs::path& folder) {
  std::vector<std::string> entries;
  std::error_code failed;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                      failed);
  for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    if (entries.size() > base::limits::kWorkflowFilesMax * 2) break;
    const bool hidden = at->path().filename().string().starts_with('.');
    if (hidden || static_cast<std::size_t>(at.depth()) + 1 >= base::limits::kFolderDepthMax) {
      at.disable_recursion_pending();
    }
    if (hidden) continue;
    entries.push_back(at->path().string() + '\0' + file_stamp(at->path()));
  }
  // The order in which a directory lists its entries is nobody's promise.
  std::sort(entries.begin(), entries.end());
  base::Digest digest;
  digest.add(file_stamp(folder));
  for (const std::string& entry : entries) digest.add(entry);
  return digest.hex();
}

}  // namespace phasegate::phases
