#pragma once
#include <filesystem>
#include <map>
#include <string>

/// What the preloaded library (faults.cpp) is to do within a program that is started.
namespace phasegate::soak {

using Variables = std::map<std::string, std::string>;

/// Meets the `number`-th call (from 1) of these kinds to files whose whole name fits the pattern.
struct Fault {
  /// `kill-before`, `kill-after` (SIGKILL, by the process to itself), `ENOSPC`, `EIO`, `EROFS`,
  /// `EINTR` (the call fails and does nothing), `short` (a write writes half of what it was given).
  std::string action;
  /// Kinds, with commas between: `open` (for writing), `write`, `sync`, `truncate`, `link`,
  /// `rename`, `remove`, `mkdir`; or `any`.
  std::string calls = "any";
  /// As of fnmatch, over the absolute name; standard output is called `stdout`.
  std::string file = "*";
  long number = 1;
  long times = 1;                  ///< so many calls are met, from that one on; 0: all
  std::filesystem::path met = {};  ///< this file is made when one is; empty: none
};

/// Where the library lies: SOAK_FAULTS, else beside this test's program.
[[nodiscard]] std::filesystem::path faults_library();

/// Environment that lets a program meet the fault. Programs that it starts without its environment,
/// such as those of checks, do not.
[[nodiscard]] Variables with_fault(const Fault& fault);

/// Environment that lets a program append to the file `record` what it does to files below `below`,
/// and what it says on standard output. Files that are mapped into memory are not seen.
[[nodiscard]] Variables with_record(const std::filesystem::path& record,
                                    const std::filesystem::path& below);

}  // namespace phasegate::soak
