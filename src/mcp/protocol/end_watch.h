#pragma once
#include <atomic>
#include <cstdint>
#include <thread>

namespace phasegate::mcp::protocol {

/// Sees to it that a call which does not come back holds up the end of the process for a moment
/// only. A call that runs for longer than limits::kStopGraceMs after a signal is left behind, as is
/// one that only waits for so long once the client has closed its end: the process exits with 0. A
/// call that works is answered to a client that has said all it had to say. What was committed
/// stays, what was not has not been acknowledged; nothing else is lost by that (the state survives
/// SIGKILL at any moment). Its thread sleeps until the end comes.
class EndWatch {
 public:
  /// `stop_fd` becomes readable by a signal. Throws std::system_error.
  EndWatch(int in_fd, int stop_fd);
  ~EndWatch();
  EndWatch(const EndWatch&) = delete;
  EndWatch& operator=(const EndWatch&) = delete;

  /// Around everything that may take long, on the one thread that answers.
  void begin() { turn_.fetch_add(1, std::memory_order_relaxed); }
  void end() { turn_.fetch_add(1, std::memory_order_relaxed); }

 private:
  void watch(int in_fd, int stop_fd);

  std::atomic<std::uint64_t> turn_{0};  ///< odd while a call runs
  int finished_fd_;
  std::thread thread_;
};

}  // namespace phasegate::mcp::protocol
