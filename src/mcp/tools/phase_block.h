#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "gating/engine/engine.h"
#include "mcp/protocol/tool.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/paging.h"

namespace phasegate::mcp::tools {

/// Puts a phase into an answer that already holds everything else: its name, tasks and one page of
/// its text under `key` (`phase_content`, `next_phase_content`, `current_phase_content`).
void add_phase(Answer& answer, std::string_view key, const gating::engine::PhaseView& phase,
               const TextPages& pages, std::string_view how_to_continue);

/// The same for the first page of the phase's own text.
void add_phase(Answer& answer, std::string_view key, const gating::engine::PhaseView& phase);

/// A read that the gates refused, in the form of 004-10 and 004-09 together (P-3).
[[nodiscard]] protocol::ToolResult violation(const gating::Refusal& refusal,
                                             const gating::engine::PhaseView& open_phase);

/// Puts the fields of 004-10 into an answer: error, message, reason, required_action,
/// violation_type, phase_gating_enforced.
void add_refusal(Answer& answer, const gating::Refusal& refusal);

}  // namespace phasegate::mcp::tools
