#include "base/process_conditions.h"

#include <cstring>

#include <sys/syscall.h>
#include <unistd.h>

namespace phasegate::base {

Conditions conditions() {
  constexpr int kThisProcess = 0;
  constexpr int kIoPriorityOfProcess = 1;  // IOPRIO_WHO_PROCESS, which has no header everywhere
  Conditions now;
  for (std::size_t i = 0; i < now.limits.size(); ++i) {
    ::syscall(SYS_prlimit64, kThisProcess, static_cast<int>(i), nullptr, &now.limits[i]);
  }
  ::syscall(SYS_sched_getattr, kThisProcess, now.scheduling.data(),
            static_cast<unsigned>(sizeof now.scheduling), 0U);
  ::syscall(SYS_sched_getaffinity, kThisProcess, static_cast<unsigned>(sizeof now.processors),
            now.processors.data());
  now.io_priority = ::syscall(SYS_ioprio_get, kIoPriorityOfProcess, kThisProcess);
  return now;
}

bool same(const Conditions& one, const Conditions& other) {
  static_assert(sizeof(Conditions) == sizeof one.limits + sizeof one.scheduling +
                                          sizeof one.processors + sizeof one.io_priority,
                "padding would be compared");
  return std::memcmp(&one, &other, sizeof one) == 0;
}

}  // namespace phasegate::base
