#pragma once
#include <string>

#include "phases/workflow.h"

namespace phasegate::phases {

/// A requirement's rules in words, without name and type: `must be true`, `at least 3 items`,
/// `0 to 100, optional`. Empty if any value of the type will do.
[[nodiscard]] std::string rules_in_words(const Requirement& requirement);

/// The type and the rules: `boolean, must be true`.
[[nodiscard]] std::string type_and_rules(const Requirement& requirement);

}  // namespace phasegate::phases
