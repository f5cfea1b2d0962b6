#pragma once
#include <cstdint>
#include <optional>

#include "base/clock.h"

/// How long wrong secrets make the next one wait. Pure.
namespace phasegate::state {

/// Wrong secrets since the last right one.
struct Failures {
  std::int64_t count = 0;
  base::TimePoint last;

  friend bool operator==(const Failures&, const Failures&) = default;
};

/// So many may be wrong before there is a wait.
inline constexpr std::int64_t kFailuresFree = 5;

/// The wait after `count` failures in a row: none below five, then 5 s, doubled by each further
/// one, up to 15 minutes. Any number gives a result; a negative one counts as none.
[[nodiscard]] std::int64_t wait_ms(std::int64_t count);

/// A clock that shows an earlier time than that of the last failure was set back. Then nobody can
/// say how long ago it was, so the wait begins anew: the failure counts as one of this moment.
[[nodiscard]] Failures as_of(const Failures& failures, base::TimePoint now);

/// Until when no secret is looked at; nullopt if one may be given now. `failures` as of `now`.
[[nodiscard]] std::optional<base::TimePoint> locked_until(const Failures& failures,
                                                          base::TimePoint now);

}  // namespace phasegate::state
