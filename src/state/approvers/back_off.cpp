#include "state/approvers/back_off.h"

#include <algorithm>

namespace phasegate::state {

std::int64_t wait_ms(std::int64_t count) {
  constexpr std::int64_t kFirstMs = 5'000;
  constexpr std::int64_t kMostMs = 15 * 60'000;
  constexpr std::int64_t kDoublingsMax = 8;  // 5 s · 2^8 is beyond the most
  if (count < kFailuresFree) return 0;
  const std::int64_t doublings = std::min(count - kFailuresFree, kDoublingsMax);
  return std::min(kFirstMs << doublings, kMostMs);
}

Failures as_of(const Failures& failures, base::TimePoint now) {
  return {failures.count, std::min(failures.last, now)};
}

std::optional<base::TimePoint> locked_until(const Failures& failures, base::TimePoint now) {
  const base::TimePoint until{failures.last.ms + wait_ms(failures.count)};
  if (until <= now) return std::nullopt;
  return until;
}

}  // namespace phasegate::state
