#include "tests/soak/killer.h"

#include <iterator>

namespace phasegate::soak {

Death Killer::next() {
  struct Point {
    const char* calls;
    const char* file;
    int number_max;  // about so many happen while a session is worked on
  };
  static constexpr Point kPoints[] = {
      {"sync", "*/state/state.db-wal", 14},             // around a commit
      {"write", "*/state/state.db-wal", 60},            // within one
      {"write", "stdout", 8},                           // committed, not acknowledged
      {"any", "*/state/*", 90},                         // whatever is done to the state
      {"any", "*/state/state.db.new-*", 20},            // while a store is made
      {"write,sync,truncate", "*/state/state.db", 12},  // a checkpoint of the log
      {"open,remove,link", "*/state/*", 8},
  };
  Death death;
  if (one_in(3)) {
    // Mostly within a call; sometimes it is answered before, and the next one is met.
    death.patience = std::chrono::microseconds(200 + number(one_in(4) ? 60'000 : 12'000));
    return death;
  }
  const Point& point = kPoints[static_cast<std::size_t>(number(std::size(kPoints)))];
  death.point = Fault{one_in(2) ? "kill-before" : "kill-after", point.calls, point.file,
                      1 + number(point.number_max)};
  return death;
}

int Killer::number(int end) {
  return static_cast<int>(random_() % static_cast<std::uint64_t>(end));
}

}  // namespace phasegate::soak
