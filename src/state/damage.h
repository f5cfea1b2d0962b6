#pragma once
#include <string>

namespace phasegate::state {

/// Throws StoreFailure (`damaged`) for something in the store that is not what was stored. The
/// damage concerns only what `message` names; nothing is repaired.
[[noreturn]] void throw_damaged(const std::string& message);

}  // namespace phasegate::state
