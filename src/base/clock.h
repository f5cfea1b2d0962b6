#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace phasegate::base {

/// Milliseconds since 1970-01-01T00:00:00Z.
struct TimePoint {
  std::int64_t ms = 0;
  friend auto operator<=>(const TimePoint&, const TimePoint&) = default;
};

/// `2026-11-27T22:16:00.123Z` (RFC 3339, UTC, milliseconds). A time before the year 0 or after the
/// year 9999, which has no such text, becomes the nearest one that has.
[[nodiscard]] std::string to_rfc3339(TimePoint time);
/// Reads what to_rfc3339 writes, or nullopt.
[[nodiscard]] std::optional<TimePoint> from_rfc3339(std::string_view text);

/// The edge at which time enters; decisions get a TimePoint and never a clock.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual TimePoint now() const = 0;
};

/// The operating system's wall clock.
class SystemClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override;
};

/// A clock that a test moves by hand.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(TimePoint start = {1'800'000'000'000}) : now_(start) {}
  [[nodiscard]] TimePoint now() const override { return now_; }
  void advance_ms(std::int64_t ms) { now_.ms += ms; }

 private:
  TimePoint now_;
};

}  // namespace phasegate::base
