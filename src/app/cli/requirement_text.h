#pragma once
#include <string>
#include <utility>
#include <vector>

#include "phases/workflow.h"

namespace phasegate::app::cli {

/// A gate's peculiarities as sentences for people, one each: nothing asked for, nothing required,
/// leniency asked for.
[[nodiscard]] std::vector<std::string> gate_marks(const phases::Gate& gate);

/// What a person is asked before the phase is left, and who decides, in one line; empty if nobody
/// is asked.
[[nodiscard]] std::string decision_mark(const phases::Phase& phase);

/// The options of that decision by id, each with its label and what it does to the session; then
/// what the person is shown and when they are reminded, as far as the author wrote it.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> decision_entries(
    const phases::Workflow& workflow, const phases::Phase& phase);

/// What kind of place a requirement was read from and how sure that is, behind its line: `, prose,
/// low confidence`; nothing where the reading is sure.
[[nodiscard]] std::string doubt_text(const phases::Requirement& requirement);

}  // namespace phasegate::app::cli
