#pragma once
#include <string>

#include "base/json_fwd.h"
#include "phases/workflow.h"
#include "world/checks/kinds.h"

namespace phasegate::world::checks {

/// See gating::engine::World::observe_start. The object's members are
/// `commit` (text, empty without one), `dirty` (path → SHA-256, "" for a file that is not there:
/// what differed from the commit), `guarded` (glob → {path → SHA-256}) and `problems` (texts: what
/// could not be seen).
[[nodiscard]] std::string observe_start(const phases::Workflow& workflow, const Place& place);
/// See gating::engine::World::observe_entry. The object maps paths to their SHA-256, "" for a file
/// that is not there.
[[nodiscard]] std::string observe_entry(const phases::Phase& phase, const base::Json& scope,
                                        const Place& place);

}  // namespace phasegate::world::checks
