#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gating/engine/engine.h"
#include "mcp/protocol/tool.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/paging.h"

namespace phasegate::mcp::tools {

/// Puts a phase into an answer that already holds everything else: its name, tasks, digest and one
/// page of `text` (the phase's own, or with more behind it) under `key` (`phase_content`,
/// `next_phase_content`, `current_phase_content`). `text` is what
/// `pages` was made of.
void add_phase(Answer& answer, std::string_view key, const gating::engine::PhaseView& phase,
               std::string_view text, const TextPages& pages, const PageFrame& frame);

/// The same for the first page of the phase's own text.
void add_phase(Answer& answer, std::string_view key, const gating::engine::PhaseView& phase);

/// For an answer whose reader has the phase already: which one it is, and the call that shows it
/// again.
void name_phase(Answer& answer, std::string_view key, const gating::engine::PhaseView& phase);

/// Puts `content_digest` behind `content`, unless more pages follow or something was shortened: who
/// has the digest has all of it.
void add_digest(Answer& answer, const base::Json& content, const std::string& digest);

/// What an answer holds in place of content that its reader has.
void add_unchanged(Answer& answer, const std::string& digest);

/// `linked_files` into `content` and as a line of the text; nothing if there are none.
void add_links(Answer& answer, base::Json& content, std::vector<std::string> links);

/// A read of `asked` that the gates refused, in the form of 004-10 and 004-09 together (P-3).
[[nodiscard]] protocol::ToolResult violation(const gating::Refusal& refusal,
                                             const gating::engine::PhaseView& open_phase,
                                             std::string_view asked);

/// Puts the fields of 004-10 into an answer: error, message, reason, required_action,
/// violation_type, phase_gating_enforced; and the phase that was probably meant by `asked`.
void add_refusal(Answer& answer, const gating::Refusal& refusal,
                 const gating::engine::RunView& view, std::string_view asked);

}  // namespace phasegate::mcp::tools
