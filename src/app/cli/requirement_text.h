#pragma once
#include <string>
#include <vector>

#include "phases/workflow.h"

namespace phasegate::app::cli {

/// A requirement's rules in words, without name and type: `must be true`, `at least 3 items`,
/// `0 to 100, optional`. Empty if any value of the type will do.
[[nodiscard]] std::string rules_in_words(const phases::Requirement& requirement);

/// A gate's peculiarities as sentences for people, one each: nothing required, approval of a person
/// required, leniency asked for.
[[nodiscard]] std::vector<std::string> gate_marks(const phases::Gate& gate);

}  // namespace phasegate::app::cli
