#pragma once
#include <cstddef>
#include <string>

#include "base/result.h"

namespace phasegate::app {

/// Standard input to its end. Errors (`usage`): it cannot be read, or has more than `bytes_max`
/// bytes.
[[nodiscard]] base::Result<std::string> read_standard_input(std::size_t bytes_max);

}  // namespace phasegate::app
