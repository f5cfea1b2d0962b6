#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "phases/folder_reader.h"

namespace phasegate::test {

inline phases::LoadedWorkflow read_folder(const std::filesystem::path& folder) {
  return phases::read_workflow_folder(folder, phases::PlainRequirementReader());
}

inline std::vector<phases::Finding> findings_of(const phases::LoadedWorkflow& loaded,
                                                std::string_view code) {
  std::vector<phases::Finding> found;
  for (const phases::Finding& finding : loaded.findings) {
    if (finding.code == code) found.push_back(finding);
  }
  return found;
}

inline bool has(const phases::LoadedWorkflow& loaded, std::string_view code) {
  return !findings_of(loaded, code).empty();
}

}  // namespace phasegate::test
