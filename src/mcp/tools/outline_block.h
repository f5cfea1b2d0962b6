#pragma once
#include "gating/engine/engine.h"
#include "mcp/tools/answer.h"

namespace phasegate::mcp::tools {

/// Lists the phases with their titles under `phases`, if the workflow's author wrote
/// `outline: titles`; otherwise nothing. Each title is shown only if gating::Visible says so.
void add_outline(Answer& answer, const gating::engine::RunView& view);

}  // namespace phasegate::mcp::tools
