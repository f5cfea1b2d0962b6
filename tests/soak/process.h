#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/soak/fault.h"

/// Programs as children: started, talked to line by line, killed. Unlike tests/support/program.h it
/// needs no test framework, and may be used by several threads at once.
namespace phasegate::soak {

/// A program, its arguments, where and with what it runs. PATH is passed on.
struct Command {
  std::vector<std::string> words;  ///< the program itself first
  std::filesystem::path folder;
  Variables variables;
};

/// A running child with pipes on standard input and output, or with a terminal of its own; standard
/// error goes to `errors` (appended) where there is no terminal. Killed and waited for at the end.
class Child {
 public:
  enum class Streams { pipes, terminal };

  /// Throws std::runtime_error if the program cannot be started.
  Child(const Command& command, Streams streams, const std::filesystem::path& errors = "/dev/null");
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// False if nobody reads any more.
  bool write(std::string_view text);
  void close_input();
  /// The next whole line without its end; nullopt at the end of the output or when time is up.
  [[nodiscard]] std::optional<std::string> read_line(std::chrono::microseconds time_max);
  /// Reads until `text` has come, from behind what was waited for before; false if it never came.
  [[nodiscard]] bool wait_for(std::string_view text, std::chrono::microseconds time_max);
  /// Reads to the end of the output, at most two minutes, then it is killed; what had not been
  /// read.
  [[nodiscard]] std::string read_all();
  void kill();
  /// The exit code, or 128 + the signal that ended it.
  int wait();
  /// Whether it has ended by now.
  [[nodiscard]] bool has_ended();

 private:
  bool read_more(std::chrono::steady_clock::time_point deadline);

  int input_ = -1;
  int output_ = -1;
  int pid_ = -1;
  std::optional<int> code_;
  std::string unread_;
};

/// A file in memory for what a child says on standard error.
class ErrorText {
 public:
  /// Throws std::runtime_error.
  ErrorText();
  ~ErrorText();
  ErrorText(const ErrorText&) = delete;
  ErrorText& operator=(const ErrorText&) = delete;

  /// What the child is to open.
  [[nodiscard]] std::filesystem::path path() const;
  [[nodiscard]] std::string read() const;

 private:
  int file_;
};

/// What a program left behind.
struct Ended {
  int code = -1;
  std::string out;
  std::string err = {};
};

/// So often a call that is refused as `busy` is made again; each has waited for five seconds.
inline constexpr int kBusyRepeatsMax = 20;

/// Whether it ended because others had been writing for too long, which is documented: such a call
/// is to be repeated.
[[nodiscard]] bool was_busy(int code, std::string_view err);

/// Runs a program without input to its end, at most two minutes; again if others kept it from it.
[[nodiscard]] Ended run(const Command& command);

/// The phasegate under test: PHASEGATE_BINARY, else the one of this build.
[[nodiscard]] std::filesystem::path phasegate_binary();

}  // namespace phasegate::soak
