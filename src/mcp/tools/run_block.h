#pragma once
#include <string>

#include "gating/engine/engine.h"
#include "mcp/tools/answer.h"

namespace phasegate::mcp::tools {

/// What every answer about a run repeats (ARCHITECTURE §7): session, open phase, progress, what is
/// missing, what the gates rest on, leniency, the next call. Puts it into both representations.
void add_run(Answer& answer, const gating::engine::RunView& view);

/// The call, or the stop, that moves this run on.
[[nodiscard]] std::string next_call(const gating::engine::RunView& view);

/// `progress` as 004-10 has it: {completed, current, total}.
[[nodiscard]] base::Json progress_json(const gating::engine::RunView& view);

/// A row of a list of sessions, in both representations.
[[nodiscard]] base::Json summary_json(const gating::engine::RunSummary& run);
[[nodiscard]] std::string summary_line(const gating::engine::RunSummary& run);

}  // namespace phasegate::mcp::tools
