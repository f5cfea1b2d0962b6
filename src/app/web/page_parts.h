#pragma once
#include <string>
#include <string_view>

#include "app/web/html.h"
#include "gating/engine/engine.h"

/// The parts of the pages, each appended to a page that is being written.
namespace phasegate::app::web {

/// Everything before the content. `title` is a text.
void begin_page(Html& html, std::string_view title, std::string_view project);
void end_page(Html& html);

/// Workflow, phase, session, who handed what over and when, who is to decide.
void put_facts(Html& html, const gating::engine::DecisionView& view);
/// Why the phase is open again; nothing if it is not.
void put_feedback(Html& html, const gating::RunState& run);
/// Files that have changed since they were checked; nothing if there are none.
void put_changed_files(Html& html, const gating::engine::DecisionView& view);
/// The evidence, or the values that the author has chosen.
void put_values(Html& html, const gating::engine::DecisionView& view);
/// What the engine has looked at itself.
void put_checks(Html& html, const gating::engine::DecisionView& view);
/// Who has decided already, where it takes several.
void put_answers(Html& html, const gating::engine::DecisionView& view);

/// `2027-01-15 08:00:00 UTC`
[[nodiscard]] std::string time_text(base::TimePoint time);
/// `Phase 2: Title`
[[nodiscard]] std::string phase_text(const phases::Phase& phase);

}  // namespace phasegate::app::web
