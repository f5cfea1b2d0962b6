#pragma once
#include "app/composition.h"

namespace phasegate::app::cli {

/// Tells people of what a command has just done, for a few seconds at most: a server that runs does
/// the same, and what is not told now is told by the next one. Says nothing and never fails.
void tell_now(Program& program);

}  // namespace phasegate::app::cli
