#pragma once

#include <array>

#include <signal.h>

namespace phasegate::mcp::protocol {

/// While it lives, SIGINT and SIGTERM make a descriptor readable instead of ending the process,
/// and SIGPIPE is ignored. Interrupted system calls of whatever runs at that moment are restarted.
/// Afterwards everything is as before. At most one at a time per process.
class StopSignals {
 public:
  /// Throws std::system_error if there are no descriptors left.
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Becomes readable, and stays so, once a signal has come.
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
  std::array<struct sigaction, 3> before_{};
};

}  // namespace phasegate::mcp::protocol
