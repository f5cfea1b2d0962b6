#pragma once
#include <string>
#include <vector>

#include "phases/workflow.h"

namespace phasegate::app::cli {

/// A gate's peculiarities as sentences for people, one each: nothing asked for, nothing required,
/// approval of a person required, leniency asked for.
[[nodiscard]] std::vector<std::string> gate_marks(const phases::Gate& gate);

/// What kind of place a requirement was read from and how sure that is, behind its line: `, prose,
/// low confidence`; nothing where the reading is sure.
[[nodiscard]] std::string doubt_text(const phases::Requirement& requirement);

}  // namespace phasegate::app::cli
