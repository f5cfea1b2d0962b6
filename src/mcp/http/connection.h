#pragma once
#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "mcp/http/listener.h"
#include "mcp/http/request_head.h"
#include "mcp/http/sockets.h"

namespace phasegate::mcp::http {

/// A place among the connections that are allowed at once.
class Slot {
 public:
  explicit Slot(std::atomic<std::size_t>& taken) : taken_(&taken) { ++*taken_; }
  Slot(Slot&& other) noexcept : taken_(std::exchange(other.taken_, nullptr)) {}
  Slot& operator=(Slot&&) = delete;
  ~Slot() {
    if (taken_ != nullptr) --*taken_;
  }

 private:
  std::atomic<std::size_t>* taken_;
};

/// What is left of a connection when it becomes a stream or is closed slowly.
struct Line {
  base::Descriptor socket;
  Slot slot;
};

/// One client's connection: a buffer that outlives a request (the next one may have come with it),
/// deadlines on the steady clock, and writing that gathers. Used by one thread at a time.
class Connection {
 public:
  enum class Input { ready, timeout, ended };

  Connection(Line line, const ListenerLimits& limits, const StopSignal& stop);

  [[nodiscard]] const std::string& remote() const { return remote_; }
  [[nodiscard]] int fd() const { return line_.socket.get(); }

  /// Waits for the first byte of a request. `ended`: the client has closed or the listener stops.
  [[nodiscard]] Input wait_for_request(TimePoint deadline);
  /// Reads a request's head within the time for it; monostate: the connection has ended.
  [[nodiscard]] std::variant<std::monostate, ParsedHead, Refusal> read_head();

  /// What was read and not yet taken.
  [[nodiscard]] std::string_view buffered() const {
    return std::string_view(buffer_).substr(taken_);
  }
  /// Overwrites it: it may hold a person's secret.
  void take(std::size_t bytes);
  /// Reads more behind it.
  [[nodiscard]] Input fill(TimePoint deadline);

  /// Gathers; sends when there is much. False once the client is gone or reads too slowly.
  bool write(std::string_view bytes);
  /// Sends what was gathered.
  bool flush();
  [[nodiscard]] bool broken() const { return broken_; }

  /// True once nobody waits for an answer any more: the client has gone, or the listener stops.
  [[nodiscard]] bool abandoned() const;
  /// Waits; false once abandoned.
  bool wait(TimePoint until);

  /// True if the client is sending, or has sent, more than was taken.
  [[nodiscard]] bool has_unread() const { return !buffered().empty() || input_waits(fd()); }
  [[nodiscard]] bool stopping() const { return stop_.raised(); }

  /// Gives memory back before a long silence.
  void rest();

  std::size_t requests = 0;  ///< begun so far

  /// Gives up the socket.
  [[nodiscard]] Line release() { return std::move(line_); }

 private:
  void forget_taken();
  [[nodiscard]] bool send_all(std::string_view bytes);
  void send_part(std::string_view part);

  Line line_;
  const ListenerLimits& limits_;
  const StopSignal& stop_;
  std::string remote_;
  std::string buffer_;
  std::size_t taken_ = 0;
  std::string out_;
  bool broken_ = false;
};

}  // namespace phasegate::mcp::http
