#pragma once
#include <vector>

#include "phases/native/report.h"
#include "phases/native/texts.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Reads the list of steps into phases, in their order. Every problem is a finding; a step that
/// cannot be read is left out or incomplete, and there is an error then.
[[nodiscard]] std::vector<Phase> read_native_steps(const YamlNode& steps,
                                                   const NativeReport& report, NativeTexts& texts);

}  // namespace phasegate::phases
