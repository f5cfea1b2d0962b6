#include "state/approvers/back_off.h"

#include <limits>

#include <doctest/doctest.h>

namespace phasegate::state {
namespace {

TEST_CASE(
    "back-off: five failures are free, then the wait doubles up to a quarter of an hour (§6)") {
  struct Case {
    std::int64_t count;
    std::int64_t wait;
  };
  constexpr std::int64_t kMost = 900'000;
  constexpr auto kHuge = std::numeric_limits<std::int64_t>::max();
  for (const Case& one :
       {Case{std::numeric_limits<std::int64_t>::min(), 0}, Case{-1, 0}, Case{0, 0}, Case{4, 0},
        Case{5, 5'000}, Case{6, 10'000}, Case{7, 20'000}, Case{11, 320'000}, Case{12, 640'000},
        Case{13, kMost}, Case{14, kMost}, Case{1000, kMost}, Case{kHuge, kMost}}) {
    CAPTURE(one.count);
    CHECK(wait_ms(one.count) == one.wait);
  }
}

TEST_CASE("back-off: a lock ends when its wait is over, and a clock that is set back ends none") {
  struct Case {
    const char* what;
    Failures failures;
    std::int64_t now;
    std::int64_t until;  ///< 0: not locked
  };
  constexpr std::int64_t kDay = 86'400'000;
  for (const Case& one : {
           Case{"nothing failed", {0, {0}}, 0, 0},
           Case{"four failures", {4, {1000}}, 1000, 0},
           Case{"the moment of the fifth", {5, {1000}}, 1000, 6000},
           Case{"just before the end", {5, {1000}}, 5999, 6000},
           Case{"the end", {5, {1000}}, 6000, 0},
           Case{"the clock was set back a second", {5, {1000 + kDay}}, kDay, kDay + 5000},
           Case{"set back a day: the wait begins anew, and does not last a day",
                {6, {10 * kDay}},
                9 * kDay,
                9 * kDay + 10'000},
       }) {
    CAPTURE(one.what);
    const base::TimePoint now{one.now};
    const auto until = locked_until(as_of(one.failures, now), now);
    CHECK(until.value_or(base::TimePoint{0}).ms == one.until);
  }
}

}  // namespace
}  // namespace phasegate::state
