#include "state/db_busy.h"

#include <algorithm>
#include <thread>

#include <sqlite3.h>
#include <unistd.h>

namespace phasegate::state {
namespace {

using std::chrono::microseconds;

/// About as long as a transaction with its synchronisation takes on a good disk.
constexpr microseconds kFirst{400};
/// So many looks until the time between them doubles, and how often it does. Not for long: whoever
/// has waited longest would come to look most rarely, and find that another was quicker each time.
constexpr int kLooksEach = 16;
constexpr int kDoublingsMax = 2;

/// The longest time until the next look.
microseconds longest_until(int looks) {
  return kFirst * (1 << std::min(looks / kLooksEach, kDoublingsMax));
}

}  // namespace

void BusyWait::attach(sqlite3* handle) {
  // Different in each process and connection; nothing secret depends on it.
  random_ = static_cast<std::uint64_t>(::getpid()) * 0x9E3779B97F4A7C15U ^
            static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  random_ |= 1U;
  sqlite3_busy_handler(handle, look_again, this);
}

BusyWait::Shorter::Shorter(BusyWait& wait, std::chrono::milliseconds patience)
    : wait_(wait), before_(wait.patience_) {
  wait_.patience_ = std::min(before_, patience);
}

int BusyWait::look_again(void* self, int looks) {
  return static_cast<BusyWait*>(self)->wait(looks) ? 1 : 0;
}

bool BusyWait::wait(int looks) {
  const auto now = std::chrono::steady_clock::now();
  if (looks == 0) since_ = now;
  const auto left = std::chrono::duration_cast<microseconds>(since_ + patience_ - now);
  if (left <= microseconds::zero()) return false;
  // Xorshift (Marsaglia): good enough to be out of step with the others.
  random_ ^= random_ << 13U;
  random_ ^= random_ >> 7U;
  random_ ^= random_ << 17U;
  const microseconds longest = longest_until(looks);
  const microseconds pause(
      static_cast<std::int64_t>(random_ % static_cast<std::uint64_t>(longest.count()) + 1));
  std::this_thread::sleep_for(std::min(pause, left));
  return true;
}

}  // namespace phasegate::state
