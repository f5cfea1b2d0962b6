#pragma once
#include <cstddef>

namespace phasegate::base {

/// Overwrites `count` bytes at `bytes` in a way that no compiler leaves out.
void wipe(void* bytes, std::size_t count) noexcept;

}  // namespace phasegate::base
