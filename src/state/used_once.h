#pragma once
#include "base/clock.h"
#include "gating/engine/ports.h"
#include "state/db.h"

/// The table used_once: what has counted already and must not count again.
namespace phasegate::state {

/// Records a token within the caller's transaction; false, writing nothing, if it was recorded
/// before or its time is over. Forgets a bounded number of those whose time is over.
[[nodiscard]] bool keep_used_once(Db& db, const gating::engine::Once& once, base::TimePoint now);

}  // namespace phasegate::state
