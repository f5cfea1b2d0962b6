#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "gating/engine/engine.h"
#include "mcp/tools/answer.h"

namespace phasegate::mcp::tools {

/// Puts what the run was started with under `input`, within `bytes_max`; `input_shortened` says if
/// it is not whole. Nothing if there was no input.
void add_input(Answer& answer, const gating::RunState& run, std::size_t bytes_max);

/// An input's type, rules and description, shortened: `integer, at least 1 – how many`.
[[nodiscard]] std::string input_words(const phases::Requirement& input);
/// The inputs that a workflow declares: `{name: "type, rules – description"}`, shortened.
[[nodiscard]] base::Json inputs_json(const phases::Workflow& workflow);
/// The same as text: `name (type, rules – description), …`; empty if it declares none.
[[nodiscard]] std::string inputs_line(const phases::Workflow& workflow);

/// Names the members of an input that the workflow does not know, with the nearest name it does
/// know: they are kept, yet probably meant otherwise.
void add_extra_input(Answer& answer, const phases::Workflow& workflow,
                     const std::vector<std::string>& extra);

}  // namespace phasegate::mcp::tools
