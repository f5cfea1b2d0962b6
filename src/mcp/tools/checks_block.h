#pragma once
#include <string>
#include <vector>

#include "gating/check_result.h"
#include "gating/engine/engine.h"
#include "mcp/tools/answer.h"

namespace phasegate::mcp::tools {

/// What the engine will look at itself: one entry per check, in few words.
[[nodiscard]] base::Json checks_json(const std::vector<phases::Check>& checks);
/// The same as lines of a text; empty without checks.
[[nodiscard]] std::string checks_text(const std::vector<phases::Check>& checks);

/// What came of checks, into both representations: those that did not pass first and in full, with
/// what to do; the others by name. `heading` stands before the lines.
void add_results(Answer& answer, const std::vector<gating::CheckResult>& results,
                 const std::string& heading);

/// Commands in their hints also carry `options`; see ToolContext::command_options.
void name_place(std::vector<gating::CheckResult>& results, const std::string& options);

/// That checks are being carried out, how far that is, and how to ask again; nothing if none are.
void add_verifying(Answer& answer, const gating::engine::RunView& view);

}  // namespace phasegate::mcp::tools
