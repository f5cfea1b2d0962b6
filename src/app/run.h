#pragma once
#include <span>
#include <string>

#include "app/environment.h"

namespace phasegate::app {

/// Everything that main does: reads the command line, carries the command out, writes what it says
/// to standard output and standard error. A reader that goes away early ends it quietly. Returns
/// the process's exit code. What goes wrong becomes a message and an exit code, not an exception.
[[nodiscard]] int run(std::span<const std::string> arguments, const Environment& environment);

}  // namespace phasegate::app
