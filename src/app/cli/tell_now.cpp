#include "app/cli/tell_now.h"

#include <chrono>
#include <exception>

#include "base/log.h"

namespace phasegate::app::cli {

void tell_now(Program& program) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kMost{3};
  const auto end = Clock::now() + kMost;
  const gating::engine::TellWish wish{"", [end] { return Clock::now() < end; }};
  try {
    while (Clock::now() < end) {
      if (!program.engine().tell(wish)) return;
    }
  } catch (const std::exception& problem) {
    // What the command was asked to do is done.
    base::log_warning("notify.not_told", {{"why", problem.what()}});
  }
}

}  // namespace phasegate::app::cli
