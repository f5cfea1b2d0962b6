#pragma once
#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace phasegate::test {

/// What a program left behind.
struct Ended {
  int code = -1;  ///< exit code; 128 + signal if a signal ended it
  std::string out;
  std::string err;
};

/// How a program is to be run.
struct ToRun {
  std::vector<std::string> arguments;
  std::filesystem::path folder;                  ///< working directory; empty: this process's
  std::map<std::string, std::string> variables;  ///< the whole environment, PATH is added
  std::string input;                             ///< standard input, then end of file
  bool close_output = false;  ///< nobody reads standard output: the first write finds it closed
  std::string output_file;    ///< standard output goes to this file instead; empty: it is read
  /// After this long the program is killed and the test fails.
  std::chrono::milliseconds time_max{60'000};
};

/// Runs `program` to its end. Input and outputs are served at once, so neither side can block the
/// other.
[[nodiscard]] Ended run_program(const std::filesystem::path& program, const ToRun& to_run);

/// The phasegate under test: PHASEGATE_BINARY, else the one of this build.
[[nodiscard]] std::filesystem::path phasegate_binary();

}  // namespace phasegate::test
