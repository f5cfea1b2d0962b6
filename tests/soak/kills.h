#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "tests/soak/soundness.h"

/// Clients whose servers are killed again and again, all on one store.
namespace phasegate::soak {

struct KillWishes {
  int kills = 200;
  int writers = 3;
  std::uint64_t seed = 1;
  int seconds_max = 0;  ///< end after this time even if there were fewer kills; 0: no bound
};

struct KillReport {
  int kills = 0;         ///< processes that were killed: servers, commands
  int at_points = 0;     ///< of them at a call of the C library, not at a random moment
  int acknowledged = 0;  ///< answers that said that something has happened
  int unanswered = 0;    ///< calls whose process was killed before it answered
  int repeated = 0;      ///< unanswered calls that turned out to have happened
  int sessions = 0;
  int commands = 0;  ///< of the command line, killed or not
  Findings found;

  void add(const KillReport& other);
};

/// Starts `writers` clients and one that runs commands on a project made in the empty folder
/// `folder`. When the kills are done every session is worked to its end, what was left open is
/// carried out, and the store is looked at as a whole. Each client compares what it was told with
/// what a new process finds after each kill.
[[nodiscard]] KillReport kill_again_and_again(const std::filesystem::path& folder,
                                              const KillWishes& wishes);

}  // namespace phasegate::soak
