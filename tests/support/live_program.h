#pragma once
#include <chrono>
#include <string>
#include <string_view>

#include "tests/support/program.h"

namespace phasegate::test {

/// A program that goes on while the test looks at it: its output is read as it comes, and it may be
/// sent keys and signals. Nothing sleeps; every wait has a deadline after which the test fails.
class LiveProgram {
 public:
  enum class Output { pipe, terminal };

  /// `columns` is the terminal's width. With a terminal, input and errors go there, too.
  LiveProgram(const std::filesystem::path& program, const ToRun& to_run, Output output,
              unsigned short columns = 80);
  ~LiveProgram();
  LiveProgram(const LiveProgram&) = delete;
  LiveProgram& operator=(const LiveProgram&) = delete;

  /// Reads until `text` has come, from behind what was waited for before; false if it never came.
  [[nodiscard]] bool wait_for(std::string_view text);
  /// Types into the terminal.
  void type(std::string_view keys);
  void signal(int number);
  /// Whether the terminal shows what is typed into it.
  [[nodiscard]] bool echoes() const;
  /// The number of the process.
  [[nodiscard]] int process() const { return child_; }
  /// Nobody reads the output any more.
  void close_output();
  /// Reads to the end of the output; the exit code, or 128 + the signal that ended it.
  [[nodiscard]] int wait_for_end();
  /// The same without reading: a program that waits for its reader does not end by itself.
  [[nodiscard]] int wait_for_end_unread();
  /// Everything that has come until now.
  [[nodiscard]] const std::string& output() const { return output_; }

 private:
  [[nodiscard]] bool read_more(std::chrono::steady_clock::time_point deadline);

  int descriptor_ = -1;
  int child_ = -1;
  std::string output_;
  std::size_t seen_ = 0;
  std::chrono::milliseconds time_max_;
};

}  // namespace phasegate::test
