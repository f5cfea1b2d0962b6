#pragma once
#include <string>

#include "base/json_fwd.h"
#include "phases/workflow.h"
#include "world/checks/kinds.h"

namespace phasegate::world::checks {

/// See gating::engine::World::observe_start; read_started reads it. The object's members are
/// `commit` (text, empty without one), `dirty` (what differed from the commit: a list of pairs of
/// path and digest, "" for what is not there), `ignored` (digest of the personal ignore lists),
/// `guarded` (an object: the globs of a `protected` check as a JSON list → pairs as above) and
/// `problems` (texts: what could not be seen). The repository is looked at if there is a `git` or
/// `tests` check. Time is bounded by limits::kCheckedFilesMax files of at most
/// limits::kCheckedFileBytesMax bytes that are read.
[[nodiscard]] std::string observe_start(const phases::Workflow& workflow, const Place& place);
/// See gating::engine::World::observe_entry. The object maps paths to their SHA-256, "" for a file
/// that is not there.
[[nodiscard]] std::string observe_entry(const phases::Phase& phase, const base::Json& scope,
                                        const Place& place);

}  // namespace phasegate::world::checks
