#pragma once
#include <string>

namespace phasegate::app {

/// The name of a variable in this process's environment by which an assistant marks the commands
/// that it starts; empty if there is none.
///
/// A hint against accidents, not a defence: whoever wants to can take the variable away. It keeps a
/// person from typing a secret where an assistant reads along, and tells an assistant that it has
/// been asked for something that is not its to do.
[[nodiscard]] std::string assistant_variable();

}  // namespace phasegate::app
