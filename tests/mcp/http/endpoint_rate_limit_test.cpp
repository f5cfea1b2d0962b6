#include <string>

#include <doctest/doctest.h>

#include "mcp/http/rate_limit.h"

namespace phasegate::mcp::http {

TEST_CASE("rate limit: so many at once, then as many as time brings, each key by itself") {
  base::ManualClock clock;
  RateLimit limit(2.0, 3.0, 10, clock);
  for (int i = 0; i < 3; ++i) CHECK(limit.take("a") == 0);
  CHECK(limit.take("a") == 1);
  CHECK(limit.take("b") == 0);
  clock.advance_ms(499);
  CHECK(limit.take("a") == 1);
  clock.advance_ms(1);
  CHECK(limit.take("a") == 0);
  CHECK(limit.take("a") == 1);
  // A pause gives no more than what is allowed at once.
  clock.advance_ms(3'600'000);
  for (int i = 0; i < 3; ++i) CHECK(limit.take("a") == 0);
  CHECK(limit.take("a") == 1);
}

TEST_CASE("rate limit: the wait is told in whole seconds") {
  base::ManualClock clock;
  RateLimit limit(0.1, 1.0, 10, clock);
  CHECK(limit.take("a") == 0);
  CHECK(limit.take("a") == 10);
  clock.advance_ms(5'500);
  CHECK(limit.take("a") == 5);
}

TEST_CASE("rate limit: a clock that is set back neither gives nor takes") {
  base::ManualClock clock;
  RateLimit limit(1.0, 2.0, 10, clock);
  CHECK(limit.take("a") == 0);
  clock.advance_ms(-3'600'000);
  CHECK(limit.take("a") == 0);
  CHECK(limit.take("a") == 1);
  clock.advance_ms(1000);
  CHECK(limit.take("a") == 0);
}

TEST_CASE("rate limit: the keys that are remembered are bounded, and the busy ones stay") {
  base::ManualClock clock;
  RateLimit limit(0.001, 1.0, 3, clock);
  CHECK(limit.take("old") == 0);
  clock.advance_ms(10);
  CHECK(limit.take("b") == 0);
  clock.advance_ms(10);
  CHECK(limit.take("c") == 0);
  clock.advance_ms(10);
  CHECK(limit.take("d") == 0);
  CHECK(limit.take("b") > 0);
  CHECK(limit.take("c") > 0);
  CHECK(limit.take("d") > 0);
  // Forgotten, so it starts anew.
  CHECK(limit.take("old") == 0);
}

TEST_CASE("rate limit: keys that have not been seen for long make room first") {
  base::ManualClock clock;
  RateLimit limit(1.0, 1.0, 2, clock);
  CHECK(limit.take("a") == 0);
  CHECK(limit.take("b") == 0);
  clock.advance_ms(2000);
  CHECK(limit.take("b") == 0);
  CHECK(limit.take("c") == 0);
  CHECK(limit.take("b") > 0);
}

}  // namespace phasegate::mcp::http
