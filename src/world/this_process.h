#pragma once
#include "gating/engine/ports.h"

namespace phasegate::world {

/// Who this process is, as the owner of effects: told apart from a later process with the same
/// number, also after a restart of the machine.
[[nodiscard]] gating::engine::Owner this_process();

/// True if the owner's process is not there any more: another boot, no process of that number, or
/// one that was started at another time. False if it cannot be told.
[[nodiscard]] bool is_gone(const gating::engine::Owner& owner);

}  // namespace phasegate::world
