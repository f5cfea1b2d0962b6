#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phases/dynamic_config.h"
#include "phases/finding_list.h"

namespace phasegate::phases {

/// A task as metadata.json declares it.
struct MetadataTask {
  std::string number;
  std::string name;
  std::string file;  ///< as written; empty if the task names none
  int line = 0;
};

/// A phase as metadata.json declares it.
struct MetadataPhase {
  std::string number;
  bool dynamic = false;  ///< `"1-N"`: stands for phases that are not known in advance
  std::string title;
  std::string purpose;
  std::string file;  ///< as written; empty if the phase names none
  int line = 0;
  int file_line = 0;
  std::vector<MetadataTask> tasks;
  std::vector<std::string> required_evidence;
  int required_evidence_line = 0;
};

/// What metadata.json says, as plain values and without a look at other files.
struct Metadata {
  std::string title;
  std::string description;
  std::string version;
  std::string workflow_type;
  int workflow_type_line = 0;
  std::optional<std::int64_t> total_phases;
  int total_phases_line = 0;
  bool dynamic = false;  ///< a dynamic total, `dynamic_phases`, or a phase such as `"1-N"`
  int dynamic_line = 0;
  std::optional<DynamicConfig> dynamic_config;  ///< only if it is understood
  std::vector<MetadataPhase> phases;
};

/// The file's name, for sources.
inline constexpr std::string_view kMetadataFile = "metadata.json";

/// Reads metadata.json. What is broken is an error among the findings with its line; nullopt if it
/// is no JSON object. Linear in `text`.
[[nodiscard]] std::optional<Metadata> read_metadata(std::string_view text, FindingList& findings);

}  // namespace phasegate::phases
