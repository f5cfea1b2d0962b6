#pragma once
#include <string>
#include <vector>

#include "phases/workflow.h"

namespace phasegate::app::cli {

/// A gate's peculiarities as sentences for people, one each: nothing asked for, nothing required,
/// approval of a person required, leniency asked for.
[[nodiscard]] std::vector<std::string> gate_marks(const phases::Gate& gate);

}  // namespace phasegate::app::cli
