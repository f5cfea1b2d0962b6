#pragma once
#include <string>
#include <string_view>

#include "gating/engine/engine.h"
#include "mcp/protocol/tool.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/tools.h"

namespace phasegate::mcp::tools {

/// What an answer about a run says of people: that it waits for a person's decision, who decides
/// and how, and that the assistant stops there; who sent it back and why; who paused it. Nothing of
/// it reads as leave to go on. Options are not shown: they are the person's, and may name later
/// phases.
void add_people(Answer& answer, const gating::engine::RunView& view);

/// `Sent back by …`, with all that the person said, for the head of a phase's text; empty if nobody
/// sent it back.
[[nodiscard]] std::string feedback_text(const gating::RunState& run);

/// Completes what such an answer says to a person: the options that lead their commands to this
/// project, and the page of the decision where this server has one.
void complete_for_people(protocol::ToolResult& result, const ToolContext& context);

}  // namespace phasegate::mcp::tools
