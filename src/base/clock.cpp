#include "base/clock.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>

namespace phasegate::base {

std::string to_rfc3339(TimePoint time) {
  using namespace std::chrono;
  const sys_time<milliseconds> moment{milliseconds{time.ms}};
  const auto day = floor<days>(moment);
  const year_month_day date{day};
  const hh_mm_ss<milliseconds> clock{moment - day};
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()),
                static_cast<int>(clock.subseconds().count()));
  return text.data();
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
