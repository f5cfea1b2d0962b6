#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "phases/finding_list.h"

namespace phasegate::phases {

/// The bytes of a workflow's folder as they were at one moment, so that everything behind this is a
/// pure function of them.
struct FolderSnapshot {
  std::map<std::string, std::string> files;   ///< bytes by path relative to the folder
  std::map<std::string, std::string> unread;  ///< why a file that is there could not be read

  std::map<std::string, std::string> links;  ///< target by path, of links within the folder

  [[nodiscard]] const std::string* find(const std::string& path) const;
};

/// Reads every file of the folder within the limits. What cannot be read is a finding and stands
/// in `unread`. Links that lead out of the folder, hidden files and devices are not read.
[[nodiscard]] FolderSnapshot take_snapshot(const std::filesystem::path& folder,
                                           FindingList& findings);

}  // namespace phasegate::phases
