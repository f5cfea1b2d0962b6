#pragma once
#include <optional>
#include <vector>

#include "phases/native/report.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Where a field stands. In the input a field is required by the list beside it, and a boolean may
/// be false.
enum class FieldUse { evidence, input };

/// Reads one field: a type's name, or a map with the type and its rules. Rules that do not fit the
/// type and bounds that no value satisfies are errors at the rule. nullopt if the name cannot be
/// used or the type is not known.
[[nodiscard]] std::optional<Requirement> read_native_field(const YamlNode::Member& field,
                                                           FieldUse use,
                                                           const NativeReport& report);

/// Reads a step's map of evidence. `sound` becomes false if a field could not be read as it is.
[[nodiscard]] std::vector<Requirement> read_native_evidence(const YamlNode& node,
                                                            const NativeReport& report,
                                                            bool& sound);

}  // namespace phasegate::phases
