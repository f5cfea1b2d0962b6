#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "gating/engine/engine.h"

namespace phasegate::mcp::tools {

/// What follows the word in `Phase 2`, `phase-2` or `PHASE_plan`; "" if the text does not begin
/// with it or nothing that could be a phase's id follows.
[[nodiscard]] std::string without_phase_word(std::string_view text);

/// The phase that was probably meant by an id that the run may not read: `2` for `phase-2`,
/// `plan_b` for `Plan-B`. Only phases that the run has reached are named, so that asking tells
/// nothing.
[[nodiscard]] std::optional<std::string> meant_phase(const gating::engine::RunView& view,
                                                     std::string_view asked);

}  // namespace phasegate::mcp::tools
