#include "phases/project_paths.h"

#include <algorithm>
#include <array>

#include "phases/requirement_names.h"
#include "phases/workflow.h"

namespace phasegate::phases {

bool names_place(const std::optional<std::string>& format) {
  return format == kProjectPath || format == kProjectFolder;
}

std::string_view path_format(std::string_view name) {
  constexpr std::array<std::string_view, 9> kFolders = {
      "dir", "dirs", "directory", "directories", "folder", "folders", "root", "repo", "repository"};
  const auto words = words_of(name);
  const bool folder = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(kFolders.begin(), kFolders.end(), word) != kFolders.end();
  });
  return folder ? kProjectFolder : kProjectPath;
}

}  // namespace phasegate::phases
