#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gating/transition.h"
#include "state/db.h"
#include "state/seal/seal.h"

/// The table decision: what people were asked and answered, by the decision's id. The run's state
/// is the truth; these rows are found without reading every run.
namespace phasegate::state {

/// Writes what the transition does to the run's decisions, `before` being the one that was open
/// until now: a new one is `open`; one that is not open any more is `decided` if the transition's
/// journal has the answer, and `withdrawn` if not. Part of the caller's transaction.
void keep_decisions(Db& db, Seal& seal, std::int64_t run,
                    const std::optional<gating::OpenDecision>& before,
                    const gating::Transition& transition);

/// The id of the run that was asked, whether the decision is still open or not. O(log n).
[[nodiscard]] std::optional<std::string> find_decision(Db& db, std::string_view id);

}  // namespace phasegate::state
