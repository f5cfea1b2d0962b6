#pragma once
#include <string>

#include "phases/native/decision.h"

namespace phasegate::phases {

/// Reads `options`, a list of {id, label, goto or outcome, input}, into the demand and its ways.
/// Ids that are not written come from the labels; each is there once. What is wrong is an error at
/// its line and column. `what` names the decision for findings. Linear.
void read_decision_options(const YamlNode& node, const std::string& what,
                           const NativeReport& report, ReadDecision& read);

}  // namespace phasegate::phases
