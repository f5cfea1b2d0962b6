#pragma once
#include <string>
#include <utility>
#include <vector>

#include "app/cli/page.h"
#include "base/json_fwd.h"
#include "gating/engine/engine.h"

/// What people have to do with a session, for `status`.
namespace phasegate::app::cli {

/// Rows of the status's head: who decides what, why a session is paused, that nothing moves.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> people_rows(
    const gating::engine::RunView& view, const Page& page);

/// Why the open phase is open again; empty if it is not.
[[nodiscard]] std::string feedback_text(const gating::engine::RunView& view, const Page& page);

/// Who sent it back and why, as `status` and `decide` say it to programs; null if nobody did.
[[nodiscard]] base::Json feedback_json(const gating::RunState& run);

/// Adds `decision`, `feedback`, `paused` and `stalled`.
void add_people(base::Json& json, const gating::engine::RunView& view, base::TimePoint now);

}  // namespace phasegate::app::cli
