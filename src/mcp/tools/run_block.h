#pragma once
#include <string>
#include <vector>

#include "gating/engine/engine.h"
#include "mcp/tools/answer.h"

namespace phasegate::mcp::tools {

/// How much of a run an answer repeats beside what every answer does.
struct RunParts {
  bool workflow = false;  ///< its workflow: for answers that a fresh context asks for
  bool progress = false;  ///< which phases are completed, as 004-10 has it
  bool missing = true;    ///< false where a refusal names every field already
};

/// What every answer about a run repeats (ARCHITECTURE §7): session, status, open phase and its
/// place, what is missing, what the gates rest on, leniency that was made use of, the next call.
/// Puts it into both representations.
void add_run(Answer& answer, const gating::engine::RunView& view, RunParts parts = {});

/// Leniency that the open phase's file asks for and does not get, and its weak gate: for
/// get_workflow_state, which shows no criteria that would say so.
[[nodiscard]] std::vector<std::string> marks_of_open_phase(const gating::engine::RunView& view);

/// The call, or the stop, that moves this run on.
[[nodiscard]] std::string next_call(const gating::engine::RunView& view);

/// `progress` as 004-10 has it: {completed, current, total}. Of very many completed phases the
/// earliest are counted only.
[[nodiscard]] base::Json progress_json(const gating::engine::RunView& view);

/// Completed phases in percent of those that are known; 100 only once the run is complete.
[[nodiscard]] std::size_t progress_percentage(const gating::engine::RunView& view);

/// A row of a list of sessions, in both representations.
[[nodiscard]] base::Json summary_json(const gating::engine::RunSummary& run);
[[nodiscard]] std::string summary_line(const gating::engine::RunSummary& run);

}  // namespace phasegate::mcp::tools
