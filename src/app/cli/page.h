#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "app/cli/invocation.h"
#include "app/environment.h"
#include "base/clock.h"

namespace phasegate::app::cli {

/// What a piece of text means; its colour follows from that.
enum class Tone { good, bad, caution, faint, strong };

/// What text is laid out for: how wide, in colours or not, and what time it is.
struct Page {
  std::size_t width = 80;
  bool colour = false;
  base::TimePoint now;

  /// `text` in the colour of its meaning, or as it is.
  [[nodiscard]] std::string in(Tone tone, std::string_view text) const;
};

/// The page of standard output: as wide as COLUMNS or the terminal says, 80 where neither does, and
/// never narrower than 20. Coloured as `--color` says; by default on a terminal that is not dumb,
/// unless NO_COLOR is set.
[[nodiscard]] Page page_of(Colour wanted, const Environment& environment, base::TimePoint now);

/// `just now`, `3 min ago`, `2 h ago`, `5 days ago`; a time that is to come is `just now`, too.
[[nodiscard]] std::string ago(base::TimePoint then, base::TimePoint now);

/// `2027-01-15 08:00:00Z`
[[nodiscard]] std::string clock_time(base::TimePoint time);

/// `3 min ago (2027-01-15 08:00:00Z)`
[[nodiscard]] std::string moment(base::TimePoint then, const Page& page);

}  // namespace phasegate::app::cli
