#include "app/cli/page.h"

#include <algorithm>

namespace phasegate::app::cli {
namespace {

constexpr std::size_t kWidthUnknown = 80;
constexpr std::size_t kWidthMin = 20;

std::string_view code_of(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "32";
    case Tone::bad:
      return "31";
    case Tone::caution:
      return "33";
    case Tone::faint:
      return "2";
    case Tone::strong:
      return "1";
  }
  return "0";
}

}  // namespace

std::string Page::in(Tone tone, std::string_view text) const {
  if (!colour || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code_of(tone)) + "m" + std::string(text) + "\x1b[0m";
}

Page page_of(Colour wanted, const Environment& environment, base::TimePoint now) {
  Page page;
  page.now = now;
  page.width = environment.columns == 0 ? kWidthUnknown : std::max(environment.columns, kWidthMin);
  page.colour =
      wanted == Colour::always || (wanted == Colour::automatic && environment.stdout_is_terminal &&
                                   !environment.no_color && environment.terminal_kind != "dumb");
  return page;
}

std::string ago(base::TimePoint then, base::TimePoint now) {
  constexpr std::int64_t kSecond = 1000;
  constexpr std::int64_t kMinute = 60 * kSecond;
  constexpr std::int64_t kHour = 60 * kMinute;
  constexpr std::int64_t kDay = 24 * kHour;
  const std::int64_t passed = now.ms - then.ms;
  const auto in = [passed](std::int64_t unit, const char* word) {
    return std::to_string(passed / unit) + word;
  };
  if (passed < 5 * kSecond) return "just now";
  if (passed < kMinute) return in(kSecond, " s ago");
  if (passed < kHour) return in(kMinute, " min ago");
  if (passed < 2 * kDay) return in(kHour, " h ago");
  return in(kDay, " days ago");
}

std::string clock_time(base::TimePoint time) {
  // 2027-01-15T08:00:00.000Z, without the letter and the fraction.
  std::string text = base::to_rfc3339(time);
  const std::size_t letter = text.find('T');
  const std::size_t fraction = text.rfind('.');
  if (letter == std::string::npos || fraction == std::string::npos) return text;
  text.erase(fraction, text.size() - fraction - 1);
  text[letter] = ' ';
  return text;
}

std::string moment(base::TimePoint then, const Page& page) {
  return ago(then, page.now) + " (" + clock_time(then) + ")";
}

}  // namespace phasegate::app::cli
