#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "mcp/http/http.h"

namespace phasegate::mcp::http {

/// Every bound of a listener. The defaults are named in base/limits.h.
struct ListenerLimits {
  std::size_t connections_max;           ///< over it: 503 and closed
  std::size_t streams_max;               ///< open streams of all clients: over it 503
  std::size_t streams_per_client_max;    ///< of one remote address: over it 429
  std::size_t head_bytes_max;            ///< request line and headers: over it 431
  std::size_t headers_max;               ///< header fields: over it 431
  std::size_t body_bytes_max;            ///< over it: 413, before it is read where it is announced
  std::size_t requests_per_connection;   ///< then the connection is closed politely
  std::chrono::milliseconds head_time;   ///< for the whole head: over it 408 and closed
  std::chrono::milliseconds body_time;   ///< for the whole body, likewise
  std::chrono::milliseconds idle_time;   ///< between requests: then closed
  std::chrono::milliseconds write_time;  ///< for a client that does not read
  std::chrono::milliseconds heartbeat;   ///< of silent streams: a comment line
  std::size_t stream_bytes_max;          ///< waiting to be read on one open stream: over it closed
};
[[nodiscard]] ListenerLimits default_limits();

/// Where to listen.
struct Address {
  enum class Kind { tcp, unix_socket };
  Kind kind = Kind::tcp;
  std::string host;  ///< a numeric address: `127.0.0.1`, `::1`, …
  int port = 0;      ///< 0: any that is free
  std::string path;  ///< of the socket file
};

/// `127.0.0.1:8765`, `[::1]:8765`, `localhost:8765` (the loopback), `:8765` is refused as
/// unclear, `unix:PATH`. Errors: `invalid_argument`.
[[nodiscard]] base::Result<Address> parse_address(std::string_view text);
/// True for 127.0.0.0/8, ::1 and Unix sockets.
[[nodiscard]] bool is_loopback(const Address& address);
/// As parse_address reads it.
[[nodiscard]] std::string to_text(const Address& address);

/// Accepts connections and hands requests to a handler: HTTP/1.1 with keep-alive, one thread for
/// each request at work, none for open streams. Every limit holds before memory is spent.
class Listener {
 public:
  Listener(Handler& handler, ListenerLimits limits);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// Takes the address; nothing is answered before run(). The result is what was bound, with its
  /// port. A Unix socket has mode 0600 from its first moment; a stale socket file is replaced, a
  /// live one or any other file is not. Errors: `address_in_use`, `not_permitted`,
  /// `cannot_listen`.
  [[nodiscard]] base::Result<Address> bind(const Address& address);

  /// Serves until stop(); then every call is cancelled, every stream ended, and it returns, within
  /// limits::kStopGraceMs whatever the clients do.
  void run();
  /// From any thread, also before run(); the second time does nothing.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::mcp::http
