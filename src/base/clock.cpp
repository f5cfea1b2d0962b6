#include "base/clock.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace phasegate::base {

namespace {

/// Writes the last digits of `number` over the text from `at` on.
void put_digits(std::string& text, std::size_t at, std::size_t digits, std::int64_t number) {
  for (std::size_t i = at + digits; i-- > at; number /= 10) {
    text[i] = static_cast<char>('0' + number % 10);
  }
}

}  // namespace

std::string to_rfc3339(TimePoint time) {
  using namespace std::chrono;
  constexpr std::int64_t kFirstMs = -62'167'219'200'000;  // the year 0
  constexpr std::int64_t kLastMs = 253'402'300'799'999;   // the end of the year 9999
  const sys_time<milliseconds> moment{
      milliseconds{std::clamp<std::int64_t>(time.ms, kFirstMs, kLastMs)}};
  const auto day = floor<days>(moment);
  const year_month_day date{day};
  const hh_mm_ss<milliseconds> clock{moment - day};
  std::string text = "0000-00-00T00:00:00.000Z";
  put_digits(text, 0, 4, static_cast<int>(date.year()));
  put_digits(text, 5, 2, static_cast<unsigned>(date.month()));
  put_digits(text, 8, 2, static_cast<unsigned>(date.day()));
  put_digits(text, 11, 2, clock.hours().count());
  put_digits(text, 14, 2, clock.minutes().count());
  put_digits(text, 17, 2, clock.seconds().count());
  put_digits(text, 20, 3, clock.subseconds().count());
  return text;
}

std::optional<TimePoint> from_rfc3339(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00.000Z";
  if (text.size() != kShape.size()) return std::nullopt;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kShape[i] == '0' ? !digit : text[i] != kShape[i]) return std::nullopt;
  }
  const auto number = [&](std::size_t at, std::size_t length) {
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + length, value);
    return value;
  };
  using namespace std::chrono;
  const year_month_day date{year{number(0, 4)}, month{static_cast<unsigned>(number(5, 2))},
                            day{static_cast<unsigned>(number(8, 2))}};
  if (!date.ok() || number(11, 2) > 23 || number(14, 2) > 59 || number(17, 2) > 59) {
    return std::nullopt;
  }
  const auto moment = sys_days{date} + hours{number(11, 2)} + minutes{number(14, 2)} +
                      seconds{number(17, 2)} + milliseconds{number(20, 3)};
  return TimePoint{duration_cast<milliseconds>(moment.time_since_epoch()).count()};
}

TimePoint SystemClock::now() const {
  using namespace std::chrono;
  return {duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count()};
}

}  // namespace phasegate::base
