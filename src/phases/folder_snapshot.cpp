#include "phases/folder_snapshot.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"
#include "phases/gate_files.h"

namespace phasegate::phases {
namespace fs = std::filesystem;
namespace limits = base::limits;
namespace {

/// Reports what list_files_below leaves out although somebody put it there: links out of the
/// folder, broken links, loops, devices, folders that may not be entered. They must not look like
/// absent files.
void report_odd_entries(const fs::path& folder, FolderSnapshot& snapshot, FindingList& findings) {
  std::error_code failed;
  const fs::path root = fs::canonical(folder, failed);
  if (failed) return;
  fs::recursive_directory_iterator entries(root, fs::directory_options::skip_permission_denied,
                                           failed);
  std::size_t seen = 0;
  for (; !failed && entries != fs::recursive_directory_iterator(); entries.increment(failed)) {
    if (++seen > limits::kWorkflowFilesMax * 2) break;
    const bool hidden = entries->path().filename().string().starts_with('.');
    const bool deepest = static_cast<std::size_t>(entries.depth()) + 1 >= limits::kFolderDepthMax;
    if (hidden || deepest) entries.disable_recursion_pending();
    if (hidden) continue;
    std::error_code problem;
    const std::string path = entries->path().lexically_relative(root).generic_string();
    const bool link = entries->is_symlink(problem);
    if (!link && entries->is_directory(problem)) {
      const fs::directory_iterator probe(entries->path(), problem);
      // Found by a phase that would read it: a folder of this name must not pass for no gate.
      if (is_gate_file(path)) snapshot.unread.emplace(path, base::in_quotes(path) + " is a folder");
      if (deepest && !problem && probe != fs::directory_iterator()) {
        findings.warning("folder_too_deep",
                         base::in_quotes(path) + " lies " +
                             std::to_string(limits::kFolderDepthMax) +
                             " folders deep; what it holds is not read",
                         "move it further up", {path, 0, 0});
      }
      if (!problem) continue;
      findings.error("unreadable_folder",
                     base::in_quotes(path) + " cannot be read: " + problem.message(),
                     "allow reading the folder", {path, 0, 0});
      continue;
    }
    if (!link && entries->is_regular_file(problem)) continue;
    if (link && snapshot.files.contains(path)) {
      const fs::path target = fs::canonical(entries->path(), problem);
      if (!problem) snapshot.links[path] = target.lexically_relative(root).generic_string();
    }
    if (snapshot.files.contains(path) || snapshot.unread.contains(path)) continue;
    const std::string why = base::in_quotes(path) +
                            " is a link out of the folder, a broken link, a link to a folder, or "
                            "no regular file, and is not read";
    findings.warning("unreadable_file", why, "put the file itself into the folder", {path, 0, 0});
    snapshot.unread.emplace(path, why);
  }
}

void read_one(const fs::path& folder, const std::string& path, std::size_t& total,
              FolderSnapshot& snapshot, FindingList& findings) {
  if (total >= limits::kWorkflowBytesMax) {
    snapshot.unread.emplace(path, "the folder is too large");
    return;
  }
  const std::size_t room = limits::kWorkflowBytesMax - total;
  auto bytes = base::read_file_below(folder, path, std::min(limits::kDocumentBytesMax, room));
  if (!bytes) {
    const base::Error& error = bytes.error();
    const bool folder_full = error.code == "too_large" && room < limits::kDocumentBytesMax;
    if (folder_full) {
      total = limits::kWorkflowBytesMax;
      findings.error("folder_too_large",
                     "the files of the folder have more than " +
                         std::to_string(limits::kWorkflowBytesMax) + " bytes together",
                     "move what does not belong to the workflow out of its folder", {path, 0, 0});
    } else {
      findings.warning("unreadable_file", error.message, error.hint, {path, 0, 0});
    }
    snapshot.unread.emplace(path, error.message);
    return;
  }
  total += bytes->size();
  snapshot.files.emplace(path, std::move(*bytes));
}

}  // namespace

const std::string* FolderSnapshot::find(const std::string& path) const {
  const auto found = files.find(path);
  return found == files.end() ? nullptr : &found->second;
}

FolderSnapshot take_snapshot(const fs::path& folder, FindingList& findings) {
  FolderSnapshot snapshot;
  const auto paths =
      base::list_files_below(folder, limits::kWorkflowFilesMax, limits::kFolderDepthMax);
  if (!paths) {
    findings.error("unreadable_folder", paths.error().message, paths.error().hint, {});
    return snapshot;
  }
  std::size_t total = 0;
  for (const std::string& path : *paths) read_one(folder, path, total, snapshot, findings);
  report_odd_entries(folder, snapshot, findings);
  return snapshot;
}

}  // namespace phasegate::phases
