#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include <sys/resource.h>

namespace phasegate::base {

/// What a process of the same user can change of another from outside, and what that one's children
/// then inherit: limits, scheduling, niceness, processors, priority of input and output.
struct Conditions {
  std::array<rlimit, RLIM_NLIMITS> limits{};
  std::array<std::uint32_t, 64> scheduling{};  ///< struct sched_attr
  std::array<std::uint64_t, 128> processors{};
  std::int64_t io_priority = 0;
};

/// Of this process, now. Safe in a signal handler, does not allocate.
[[nodiscard]] Conditions conditions();
[[nodiscard]] bool same(const Conditions& one, const Conditions& other);

}  // namespace phasegate::base
