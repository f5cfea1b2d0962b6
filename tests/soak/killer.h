#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/soak/fault.h"

namespace phasegate::soak {

/// When a process is to be killed: at a call of the C library, or after a time.
struct Death {
  std::optional<Fault> point;
  std::string kind;                       ///< of point; empty where there is none
  std::chrono::microseconds patience{0};  ///< with an answer; where there is no point
  int steps_max = 12;                     ///< that a client makes until it is met
};

/// Chooses deaths. Points are spread over all that a server does with its files and over the moment
/// in which it answers; each can be before or after the call. Those of a backup lie in the copy.
class Killer {
 public:
  enum class Victim { worker, backup };

  explicit Killer(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] Death next(Victim victim = Victim::worker);
  /// From 0 to below `end`.
  [[nodiscard]] int number(int end);
  [[nodiscard]] bool one_in(int count) { return number(count) == 0; }
  /// Of the points that there are, for whichever victim.
  [[nodiscard]] static std::vector<std::string> kinds();

 private:
  std::mt19937_64 random_;
};

}  // namespace phasegate::soak
