#include "world/project_documents.h"

#include <algorithm>
#include <string>

#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"
#include "phases/project_config.h"
#include "world/target.h"

namespace phasegate::world {

namespace fs = std::filesystem;

base::Result<gating::engine::ProjectDocument> ProjectFiles::read(std::string_view folder,
                                                                 std::string_view file) {
  // The same words as for a target: absolute paths and file:// URIs within the root are taken.
  auto below = normalise_target(root_, folder);
  if (!below) return below.error();
  if (below->empty()) {
    return base::Error{"invalid_argument", "no folder is named",
                       "give a path within the project, relative to its root", ""};
  }
  const std::string name(file);
  const bool names_file = *below == name || below->ends_with("/" + name);
  const auto path = base::normalised_relative(names_file ? *below : *below + "/" + name);
  if (!path) return path.error();
  auto text = base::read_file_below(root_, *path, base::limits::kDocumentBytesMax);
  if (!text) {
    // A link that leads nowhere is no absence: somebody meant a file to be there.
    std::error_code ignored;
    if (text.error().code == "not_found" && fs::is_symlink(root_ / *path, ignored)) {
      return base::Error{"unreadable",
                         base::in_quotes(base::shortened(*path, 200)) + " is a link to nothing",
                         "put the file itself there", ""};
    }
    return text.error();
  }
  return gating::engine::ProjectDocument{*path, std::move(text).value()};
}

std::vector<std::string> overlooked_project_files(const fs::path& root) {
  const fs::path wanted(phases::kProjectConfigFile);
  constexpr std::size_t kEntriesMax = 1000;
  std::vector<std::string> names;
  std::error_code failed;
  fs::directory_iterator entry(root / wanted.parent_path(), failed);
  for (std::size_t seen = 0; !failed && entry != fs::directory_iterator() && seen < kEntriesMax;
       ++seen) {
    const std::string name = entry->path().filename().string();
    const std::string lower = base::lowered(name);
    const bool alike = lower == "project.yaml" || lower == "project.yml";
    if (alike && name != wanted.filename().string()) {
      names.push_back(wanted.parent_path().string() + "/" + base::to_utf8(name));
    }
    entry.increment(failed);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace phasegate::world
