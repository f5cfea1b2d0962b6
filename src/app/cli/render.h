#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/engine/engine.h"
#include "phases/library.h"
#include "phases/workflow.h"

/// What the commands print, as pure functions from values to text and JSON. The JSON shapes are
/// documented in docs/command-line.md and only ever grow.
namespace phasegate::app::cli {

// ── status ───────────────────────────────────────────────────────────────────────────────────────

/// For people. Phases that the run has reached; with `all` those to come as well, title and all.
/// `options` completes the commands that are named (`Settings::options_here`).
[[nodiscard]] std::string status_text(const gating::engine::RunView& view, bool all,
                                      std::string_view options);
[[nodiscard]] base::Json status_json(const gating::engine::RunView& view, bool all);

// ── history ──────────────────────────────────────────────────────────────────────────────────────

[[nodiscard]] std::string history_text(const gating::RunState& run,
                                       const std::vector<gating::engine::JournalRow>& rows);
[[nodiscard]] base::Json history_json(const gating::RunState& run,
                                      const std::vector<gating::engine::JournalRow>& rows);

// ── sessions ─────────────────────────────────────────────────────────────────────────────────────

/// `more`: there are sessions that were not asked for.
[[nodiscard]] std::string sessions_text(const std::vector<gating::engine::RunSummary>& runs,
                                        bool more, std::string_view options);
[[nodiscard]] base::Json sessions_json(const std::vector<gating::engine::RunSummary>& runs,
                                       bool more);

// ── workflows ────────────────────────────────────────────────────────────────────────────────────

/// Why a workflow that was loaded cannot be started: an error of its reader, or a gate that does
/// not compile. Nullopt if it can be.
[[nodiscard]] std::optional<base::Error> why_not_startable(const phases::LoadedWorkflow& loaded);

[[nodiscard]] std::string workflows_text(const std::vector<gating::engine::FoundWorkflow>& found,
                                         const std::vector<phases::Finding>& place_findings,
                                         const std::vector<phases::Place>& places);
[[nodiscard]] base::Json workflows_json(const std::vector<gating::engine::FoundWorkflow>& found,
                                        const std::vector<phases::Finding>& place_findings);

// ── validate ─────────────────────────────────────────────────────────────────────────────────────

/// A workflow and everything that is to be said about it.
struct Validated {
  std::string shown_path;  ///< as it was typed
  phases::LoadedWorkflow loaded;
};

/// Adds the findings that only the gate's compiler can make, so that `findings` holds all.
void add_gate_findings(phases::LoadedWorkflow& loaded);

[[nodiscard]] std::string validate_text(const Validated& validated);
[[nodiscard]] base::Json validate_json(const Validated& validated);

}  // namespace phasegate::app::cli
