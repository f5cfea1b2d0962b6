#pragma once
#include <optional>
#include <string>

#include "phases/finding_list.h"

namespace phasegate::base {
struct JsonWithLines;
}

namespace phasegate::phases {

/// `dynamic_config` of metadata.json: where phases that are not known in advance come from.
struct DynamicConfig {
  std::string input;           ///< `source_path_key`: the input that names the spec's folder
  std::string phase_template;  ///< as written; empty: none is named
  std::string task_template;
  int line = 0;
  int templates_line = 0;
};

/// Reads it. Understood is `source_type: spec_tasks_md` with the parser `spec_tasks_parser` or none
/// named; anything else is a warning `unknown_dynamic_config` and nullopt, so that a run waits
/// where those phases would begin. Wrong types are errors `invalid_metadata`.
[[nodiscard]] std::optional<DynamicConfig> read_dynamic_config(const base::JsonWithLines& metadata,
                                                               FindingList& findings);

}  // namespace phasegate::phases
