#pragma once
#include <cstddef>

#include "base/json_fwd.h"

namespace phasegate::mcp::tools {

/// `value` within `bytes_max` bytes of JSON text: whole; or with long texts cut and long lists
/// ended early; or, as a text, the names of its members. `cut` is set to true if it is not whole.
[[nodiscard]] base::Json abridged(const base::Json& value, std::size_t bytes_max, bool& cut);

}  // namespace phasegate::mcp::tools
