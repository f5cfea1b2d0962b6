#include "tests/soak/killer.h"

#include <span>

namespace phasegate::soak {
namespace {

constexpr int kStepsMax = 12;

struct Point {
  const char* kind;
  const char* calls;
  const char* file;
  int number_max;  // about so many happen while a session is worked on, or a copy is made
  int steps_max = kStepsMax;
};

constexpr Point kOfWorkers[] = {
    {"commit", "sync", "*/state/state.db-wal", 14},  // around one
    {"log", "write", "*/state/state.db-wal", 60},    // within one
    {"answer", "write", "stdout", 8},                // committed, not acknowledged
    {"state", "any", "*/state/*", 90},               // whatever is done to the state
    {"database", "write,sync,truncate", "*/state/state.db", 12, 40},  // a checkpoint of the log
    {"names", "open,remove,link", "*/state/*", 8},
};

constexpr Point kOfBackups[] = {
    {"copy", "write,sync,truncate", "*/state/backups/*", 40},
    {"copy's name", "open,link,remove", "*/state/backups/*", 4},
};

std::span<const Point> points_of(Killer::Victim victim) {
  if (victim == Killer::Victim::backup) return kOfBackups;
  return kOfWorkers;
}

}  // namespace

Death Killer::next(Victim victim) {
  Death death;
  if (one_in(3)) {
    // Mostly within a call; sometimes it is answered before, and the next one is met.
    death.patience = std::chrono::microseconds(200 + number(one_in(4) ? 60'000 : 12'000));
    return death;
  }
  const auto points = points_of(victim);
  const Point& point = points[static_cast<std::size_t>(number(static_cast<int>(points.size())))];
  death.kind = point.kind;
  death.steps_max = point.steps_max;
  death.point = Fault{one_in(2) ? "kill-before" : "kill-after", point.calls, point.file,
                      1 + number(point.number_max)};
  return death;
}

int Killer::number(int end) {
  return static_cast<int>(random_() % static_cast<std::uint64_t>(end));
}

std::vector<std::string> Killer::kinds() {
  std::vector<std::string> kinds;
  for (const Victim victim : {Victim::worker, Victim::backup}) {
    for (const Point& point : points_of(victim)) kinds.emplace_back(point.kind);
  }
  return kinds;
}

}  // namespace phasegate::soak
