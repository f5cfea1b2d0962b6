#pragma once
#include <string>
#include <string_view>

#include "gating/engine/engine.h"
#include "mcp/protocol/tool.h"
#include "mcp/tools/answer.h"

namespace phasegate::mcp::tools {

/// What an answer about a run says of people: that it waits for a person's decision, who decides
/// and how, and that the assistant stops there; who sent it back and why; who paused it. Nothing of
/// it reads as leave to go on. Options are not shown: they are the person's, and may name later
/// phases.
void add_people(Answer& answer, const gating::engine::RunView& view);

/// `Sent back by …`, with all that the person said, for the head of a phase's text; empty if nobody
/// sent it back.
[[nodiscard]] std::string feedback_text(const gating::RunState& run);

/// Gives the commands for a person in such an answer the options that lead to this project.
void complete_commands(protocol::ToolResult& result, std::string_view options);

}  // namespace phasegate::mcp::tools
