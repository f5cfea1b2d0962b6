#pragma once
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "phases/finding_list.h"
#include "phases/requirement_checks.h"
#include "phases/workflow.h"
#include "phases/yaml_node.h"

namespace phasegate::phases {

/// A validator that a gate file defines by itself.
struct NamedValidator {
  std::string code;
  int line = 0;
  bool refused = false;  ///< already reported as an error
};

/// Why a validator's code is not understood, whatever its parameters; nullopt if it is.
[[nodiscard]] std::optional<base::Error> problem_of(const NamedValidator& validator);

/// Reads one field of a gate file's evidence schema; nullopt if its type is unknown. Everything
/// that is not understood is an error among the findings.
[[nodiscard]] std::optional<Requirement> read_gate_field(
    const std::string& name, int line, const YamlNode& field, const std::string& path,
    const std::string& phase, const std::map<std::string, NamedValidator>& validators,
    FindingList& findings);

}  // namespace phasegate::phases
