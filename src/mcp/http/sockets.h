#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

#include <sys/types.h>

#include "base/descriptor.h"

/// The few things that are done with sockets. All of ours are non-blocking and close-on-exec.
namespace phasegate::mcp::http {

using TimePoint = std::chrono::steady_clock::time_point;

/// Told once, seen by everybody who waits: the listener is stopping.
class StopSignal {
 public:
  StopSignal();
  void raise();
  [[nodiscard]] bool raised() const { return raised_.load(); }
  /// Until when a last answer may still be written.
  [[nodiscard]] TimePoint write_end() const { return raised() ? write_end_ : TimePoint::max(); }
  /// Readable for ever once raised.
  [[nodiscard]] int fd() const { return event_.get(); }

 private:
  base::Descriptor event_;
  TimePoint write_end_;  ///< written before `raised_`
  std::atomic<bool> raised_ = false;
  std::atomic<bool> raising_ = false;
};

enum class Ready { yes, timeout, stopped };

/// Waits until a socket is ready for `events` of poll(2) (also when it is broken: then reading or
/// writing says so), or the time has come, or the listener stops. Without `stop` it is not heeded.
[[nodiscard]] Ready wait_until(int fd, short events, TimePoint deadline, const StopSignal* stop);

/// True once the other end has closed the connection or its half of it.
[[nodiscard]] bool other_end_closed(int fd);

/// True if bytes wait to be read.
[[nodiscard]] bool input_waits(int fd);

/// Sends what goes out without waiting: bytes, or -1 if the connection is broken.
[[nodiscard]] ssize_t send_some(int fd, const char* data, std::size_t size);

/// The numeric address of the other end, or `unix`.
[[nodiscard]] std::string remote_address(int fd);

}  // namespace phasegate::mcp::http
