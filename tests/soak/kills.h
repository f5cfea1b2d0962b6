#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
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
  int kills = 0;  ///< processes that were killed: servers, commands
  /// Of them those at a call of the C library, not at a random moment, by kind (Killer::kinds).
  std::map<std::string, int> at_points;
  int acknowledged = 0;  ///< answers that said that something has happened
  int unanswered = 0;    ///< calls whose process was killed before it answered
  int repeated = 0;      ///< unanswered calls that turned out to have happened
  int sessions = 0;
  int commands = 0;  ///< of the command line, killed or not
  int copies = 0;    ///< of the store, made whole while others wrote
  Findings found;

  void add(const KillReport& other);
  /// `kind` empty: at no call.
  void add_kill(const std::string& kind);
  /// Of all kinds.
  [[nodiscard]] int at_calls() const;
  /// `answer 12, commit 7, …`: every kind, also one that was never met.
  [[nodiscard]] std::string by_kind() const;
};

/// Starts `writers` clients and one that runs commands on a project made in the empty folder
/// `folder`. When the kills are done every session is worked to its end, what was left open is
/// carried out, and the store is looked at as a whole. Each client compares what it was told with
/// what a new process finds after each kill.
[[nodiscard]] KillReport kill_again_and_again(const std::filesystem::path& folder,
                                              const KillWishes& wishes);

}  // namespace phasegate::soak
