#pragma once
#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "phases/folder_reader.h"
#include "tests/support/files.h"

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

/// A phase's text with one box in its gate.
inline constexpr const char* kGate = "# P\n\n## Validation Gate\n- [ ] Done well\n";

/// A workflow of one phase around the given members of metadata.json.
inline std::string metadata(const std::string& more = "", const std::string& phase_more = "") {
  return R"({"workflow_type":"w","version":"1","description":"d","name":"W","total_phases":1,
"estimated_duration":"1m","primary_outputs":[],
)" + more +
         R"("phases":[{"phase_number":0,"phase_name":"P","purpose":"p")" +
         (phase_more.empty() ? "" : ",\n" + phase_more) + "}]}";
}

/// Reads a folder that holds these files.
inline phases::LoadedWorkflow loaded(
    std::initializer_list<std::pair<const char*, std::string>> files) {
  const TempFolder place;
  for (const auto& [path, bytes] : files) place.write(std::string("w/") + path, bytes);
  return read_folder(place.path() / "w");
}

}  // namespace phasegate::test
