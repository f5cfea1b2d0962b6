#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/page.h"
#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/engine/engine.h"
#include "phases/library.h"
#include "phases/workflow.h"

/// What the commands print, as pure functions from values to text and JSON. The JSON shapes are
/// documented in docs/command-line.md and only ever grow.
namespace phasegate::app::cli {

// ── status ───────────────────────────────────────────────────────────────────────────────────────

/// How `status` is to be shown.
struct StatusOptions {
  bool all = false;        ///< also the phases to come, title and all
  bool was_found = false;  ///< nobody named the session: it is the open one that changed last
  std::string options;     ///< completes the commands that are named (`Settings::options_here`)
  std::vector<std::string> doubts = {};  ///< see doubts.h
};

[[nodiscard]] std::string status_text(const gating::engine::RunView& view,
                                      const StatusOptions& options, const Page& page);
[[nodiscard]] base::Json status_json(const gating::engine::RunView& view, bool all,
                                     base::TimePoint now);

/// Where a phase stands: `accepted`, `open`, `ahead`, or `not_completed` in a run that has ended.
[[nodiscard]] std::string_view phase_state(const gating::engine::RunView& view,
                                           const phases::Phase& phase);
/// Whose turn it is: `assistant`, `person`, or `nothing`.
[[nodiscard]] std::string_view waits_for(const gating::RunState& run);
/// True if the last refused evidence lacked this field.
[[nodiscard]] bool is_missing(const gating::RunState& run, std::string_view field);

// ── history ──────────────────────────────────────────────────────────────────────────────────────

struct HistoryOptions {
  /// Evidence whole, that of refused attempts too; otherwise accepted evidence, shortened.
  bool full = false;
  bool was_found = false;  ///< as in StatusOptions
  /// What decisions are held against; nullopt: nobody knows who is enrolled.
  std::optional<std::vector<gating::engine::Approver>> approvers = std::nullopt;
};

[[nodiscard]] std::string history_text(const gating::RunState& run,
                                       const std::vector<gating::engine::JournalRow>& rows,
                                       const HistoryOptions& options, const Page& page);
[[nodiscard]] base::Json history_json(const gating::RunState& run,
                                      const std::vector<gating::engine::JournalRow>& rows);

// ── sessions ─────────────────────────────────────────────────────────────────────────────────────

/// `more`: there are sessions that were not asked for. `filtered`: not every one was asked for.
[[nodiscard]] std::string sessions_text(const std::vector<gating::engine::RunSummary>& runs,
                                        bool more, bool filtered, std::string_view options,
                                        const Page& page);
[[nodiscard]] base::Json sessions_json(const std::vector<gating::engine::RunSummary>& runs,
                                       bool more);

// ── workflows ────────────────────────────────────────────────────────────────────────────────────

/// Why a workflow that was loaded cannot be started: an error of its reader, or a gate that does
/// not compile. Nullopt if it can be.
[[nodiscard]] std::optional<base::Error> why_not_startable(const phases::LoadedWorkflow& loaded);

/// What `workflows` shows beside the workflows themselves.
struct WorkflowNotes {
  std::vector<phases::Finding> place_findings;
  std::vector<phases::Place> places;
  std::string elsewhere;  ///< a hint at workflows that are not looked for here; may be empty
};

[[nodiscard]] std::string workflows_text(const std::vector<gating::engine::FoundWorkflow>& found,
                                         const WorkflowNotes& notes, const Page& page);
[[nodiscard]] base::Json workflows_json(const std::vector<gating::engine::FoundWorkflow>& found,
                                        const std::vector<phases::Finding>& place_findings);

/// How many findings are of this severity.
[[nodiscard]] std::size_t count(const std::vector<phases::Finding>& findings,
                                phases::Severity severity);
/// An error of a finding: red; a warning: yellow.
[[nodiscard]] Tone tone_of(phases::Severity severity);

}  // namespace phasegate::app::cli
