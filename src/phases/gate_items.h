#pragma once
#include <optional>
#include <string>

#include "phases/finding_list.h"
#include "phases/workflow.h"
#include "phases/yaml_node.h"

namespace phasegate::phases {

/// The value of a gate file's scalar for a requirement's type; nullopt if it does not fit.
[[nodiscard]] std::optional<Scalar> gate_scalar(const YamlNode& node, ValueType type);

/// Reads `items` of a list in a gate file: a type, or a map with type, min_length, pattern and
/// enum. What is wrong is an error among the findings, so that no rule is dropped silently.
void read_gate_items(const YamlNode& node, const std::string& phase, Requirement& requirement,
                     FindingList& findings);

}  // namespace phasegate::phases
