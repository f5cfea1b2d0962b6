#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mcp/protocol/exchange.h"

/// Streamable HTTP (MCP 2026-07-28 §Streamable HTTP, 2025-11-25 §Streamable HTTP).
///
/// - http.h      requests and responses as values, between the two halves of this room
/// - listener.h  sockets, connections, streams and their limits; the library behind its guard
/// - endpoint.h  what a request means: eras, headers, sessions, statuses; no sockets
namespace phasegate::mcp::http {

/// Header fields in the order in which they came. Names are compared without case.
class Headers {
 public:
  void add(std::string name, std::string value);
  /// The first value with surrounding blanks removed, or null.
  [[nodiscard]] const std::string* find(std::string_view name) const;
  [[nodiscard]] std::size_t count(std::string_view name) const;
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& all() const {
    return fields_;
  }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

/// A request as far as its head. Of the headers, none is missing but those that claim to know the
/// client's address (`REMOTE_…`, `LOCAL_…`).
struct RequestHead {
  std::string method;
  std::string path;  ///< decoded, without query
  Headers headers;
  /// Of the other end: an address, or `unix` for a Unix socket.
  std::string remote;
};

struct Request {
  RequestHead head;
  std::string body;
};

/// The stream of one answer (`text/event-stream`), written by the thread that answers. A client
/// that closes its half of the connection counts as gone. Afterwards the connection is free for the
/// client's next request.
class CallStream : public protocol::Exchange {
 public:
  /// Sends the answer itself, behind which nothing follows.
  virtual void finish(std::string line) = 0;
};

/// A stream without an end of its own, which any thread may write to and which needs no thread:
/// a listen stream, a session's GET stream. Everything that is sent arrives in order or the stream
/// is closed.
class OpenStream : public protocol::Sink {
 public:
  /// Sends `line` unless it is empty, and ends the stream.
  virtual void close(std::string line) = 0;
};

struct Response {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string content_type;  ///< empty: no body
  std::string body;
  /// The connection ends after this response.
  bool close = false;

  /// If set, the response is a stream of events: called on the connection's thread once the head
  /// has been sent. The stream ends when it returns.
  std::function<void(CallStream&)> answer;
  /// If set, the response is an open stream: called once the head has been sent; the connection
  /// then belongs to the stream. `gone` is called once, from any thread, when the stream has ended
  /// for whatever reason.
  std::function<void(std::shared_ptr<OpenStream>)> open;
  std::function<void()> gone;
};

/// What stands behind a listener. Called from any number of threads.
class Handler {
 public:
  virtual ~Handler() = default;
  /// Asked before the body is read: a response refuses the request and ends the connection.
  [[nodiscard]] virtual std::optional<Response> refuse(const RequestHead& head) = 0;
  /// The response of the whole request. What it throws is answered with 500 and logged.
  [[nodiscard]] virtual Response handle(const Request& request) = 0;
};

}  // namespace phasegate::mcp::http
