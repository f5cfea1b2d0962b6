#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace phasegate::base {

/// A program to be run and watched to its end. Nothing is interpreted by a shell.
struct ProcessRequest {
  std::vector<std::string>
      argv;  ///< program and arguments; a name without `/` is looked for in the PATH given to it
  std::string program;           ///< the file that is started; empty: the one that argv names
  std::filesystem::path folder;  ///< working folder; must exist
  std::vector<std::string> environment;  ///< `NAME=value`, all of it: nothing is inherited
  std::string input;                     ///< standard input; empty: /dev/null
  std::int64_t timeout_ms = 0;           ///< must be > 0
  /// Kept of each of the two outputs: its first and last half. More is read, digested and dropped.
  std::size_t output_max = 0;
  /// Asked about every 200 ms while the program runs; false ends it. May be empty.
  std::function<bool()> go_on;
};

struct ProcessOutput {
  std::string text;         ///< as far as it was kept; bytes as they came
  std::uint64_t bytes = 0;  ///< of all of it
  bool cut = false;         ///< something between its first and last part is missing
  std::size_t cut_at = 0;   ///< where in `text`, if cut
};

struct ProcessResult {
  enum class End {
    exited,       ///< by itself, `code` is its exit code
    signalled,    ///< by a signal, which is `code`
    timed_out,    ///< ended by us after its time
    stopped,      ///< ended by us because go_on said so
    not_started,  ///< `problem` says why
  };
  End end = End::not_started;
  int code = 0;
  std::string problem;  ///< one sentence without machine paths; set for not_started
  ProcessOutput out;
  ProcessOutput err;
  std::string digest;  ///< SHA-256 over both outputs, whole, uncut; empty for not_started
  std::int64_t duration_ms = 0;
  bool left_processes = false;  ///< something that it had started was still running, and was ended
};

/// Runs the program in a process group of its own, without terminal, with the signals' default
/// actions and only the three standard files open. When it has ended, or is ended, everything that
/// it had started is ended too, also what has left its process group (daemons): first asked, after
/// limits::kStopCheckMs killed. Should this process die, however it dies, the tree is killed.
/// Returns once everything is gone. Thread-safe; any number at once. Never throws for what the
/// program does.
[[nodiscard]] ProcessResult run_process(const ProcessRequest& request);

}  // namespace phasegate::base
