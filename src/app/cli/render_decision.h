#pragma once
#include <string>

#include "app/cli/page.h"
#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/engine/engine.h"
#include "world/changes.h"

/// What a person is shown who decides, as pure functions. Every text of the run or its workflow is
/// taken for an attempt to deceive.
namespace phasegate::app::cli {

/// Everything that the decision rests on, the options last. `changes`: of the working tree, or why
/// they cannot be told. `full`: nothing is shortened.
[[nodiscard]] std::string decision_text(const gating::engine::DecisionView& view,
                                        const base::Result<world::Changes>& changes, bool full,
                                        const Page& page);

/// The same for programs, whole. Phases that the run has not reached are not named.
[[nodiscard]] base::Json decision_json(const gating::engine::DecisionView& view,
                                       const base::Result<world::Changes>& changes);

/// What choosing it does, one sentence without a full stop.
[[nodiscard]] std::string effect_text(const gating::engine::DecisionView& view,
                                      const phases::DecisionOption& option);

/// What has come of it, and what the assistant is given: some sentences. `options` completes
/// commands.
[[nodiscard]] std::string decided_text(const gating::engine::DecideReply& reply,
                                       const gating::engine::DecisionView& view,
                                       const phases::DecisionOption& option,
                                       const std::string& options, const Page& page);

}  // namespace phasegate::app::cli
