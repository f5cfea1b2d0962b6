#pragma once
#include <chrono>
#include <string>

/// The edges at which a transport takes lines out of the protocol.
namespace phasegate::mcp::protocol {

/// One request's way back to its client while it is being answered. Implemented by transports; used
/// by one thread, the one that answers.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// Sends a message that belongs to the request and comes before its answer. False if it could
  /// not be sent: then the client is gone, or this exchange has room for the answer only.
  virtual bool send(std::string line) = 0;
  /// True once the answer is no longer wanted: the client cancelled it or is gone (as far as its
  /// era counts that), or the server is stopping.
  [[nodiscard]] virtual bool cancelled() = 0;
  /// False once nobody can be asked any more: whoever leaves a question open is not waited for,
  /// even where leaving is not cancelling.
  [[nodiscard]] virtual bool reachable() { return true; }
  /// Waits for `time`, or until cancelled; false if cancelled.
  virtual bool wait(std::chrono::milliseconds time) = 0;
};

/// For answers that can neither be streamed nor waited for.
class NoExchange final : public Exchange {
 public:
  bool send(std::string) override { return false; }
  [[nodiscard]] bool cancelled() override { return false; }
  bool wait(std::chrono::milliseconds) override { return false; }
};

/// Where messages go that belong to no request: a listen stream, a session's stream, the pipe.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Takes a line without its newline and never blocks. False if it can no longer be delivered: the
  /// other end is gone, or reads too slowly for what the sink may hold. Any thread.
  virtual bool send(std::string line) = 0;
};

}  // namespace phasegate::mcp::protocol
