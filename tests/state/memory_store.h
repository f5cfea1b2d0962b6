#pragma once
#include "tests/state/store_support.h"

namespace phasegate::test {

/// A second store behind the engine's ports, for tests: plain values in memory, no SQLite, no
/// files. It shows that the contract speaks of stores and not of one of them, and it is what the
/// real one is compared with. Every maker has a store of its own; what it makes are views of that
/// store, as other processes would have them. It lives as long as one of them. It has no readings.
[[nodiscard]] StoreMaker in_memory();

}  // namespace phasegate::test
