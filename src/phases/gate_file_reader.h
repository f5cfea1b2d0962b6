#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phases/finding_list.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// What a gate-definition.yaml asks for.
struct ReadGateFile {
  std::vector<Requirement> requirements;
  std::vector<Check> checks;
  bool asks_leniency = false;
  bool human_approval = false;
  Source human_approval_source;
  std::optional<DecisionDemand> decision;
  Source source;
  std::vector<Finding> findings;
};

/// Reads a gate file. Fails closed: whatever is not understood (malformed YAML, unknown keys,
/// types, validators, cross-field rules) is an error among the findings, with the line and the
/// nearest known name. `path` is the file's name for sources. Never throws.
[[nodiscard]] ReadGateFile read_gate_file(std::string_view text, std::string_view path,
                                          const std::string& phase);

}  // namespace phasegate::phases
