#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "mcp/http/http.h"
#include "mcp/http/open_streams.h"
#include "mcp/http/sessions.h"
#include "mcp/protocol/server.h"

namespace phasegate::mcp::http {

/// Answers clients of the handshake revisions (MCP 2025-11-25 §Streamable HTTP): each has a session
/// that its `initialize` began. Thread-safe.
///
/// A request that waits is answered as a stream, any other with one body. What the client gets when
/// its session cannot be used: 400 if it names none, 404 if there is none of this name (then it
/// starts over with `initialize`), 400 if its `MCP-Protocol-Version` is none that has sessions.
class LegacyRequests {
 public:
  LegacyRequests(protocol::Server& server, OpenStreams& streams, Sessions& sessions)
      : server_(server), streams_(streams), sessions_(sessions) {}

  [[nodiscard]] Response request(const RequestHead& head, const protocol::Message& message,
                                 const std::string& principal);
  [[nodiscard]] Response batch(const RequestHead& head, const protocol::Message& message,
                               const std::string& principal);
  [[nodiscard]] Response notification(const RequestHead& head, const protocol::Message& message,
                                      const std::string& principal);
  [[nodiscard]] Response response(const RequestHead& head, const protocol::Message& message,
                                  const std::string& principal);

  /// GET: the stream for what belongs to no request; DELETE: the end of the session. Without a
  /// session there is nothing that they could mean, and 405 is what tells clients of every
  /// revision so: those that look for the two-endpoint transport of 2024-11-05, and modern ones.
  [[nodiscard]] Response get(const RequestHead& head, const std::string& principal);
  [[nodiscard]] Response del(const RequestHead& head, const std::string& principal);

 private:
  using Found = std::variant<std::shared_ptr<Session>, Response>;
  [[nodiscard]] Found session(const RequestHead& head, const protocol::Message& message,
                              const std::string& principal);
  [[nodiscard]] Response initialize(const protocol::Message& message, const std::string& principal);

  protocol::Server& server_;
  OpenStreams& streams_;
  Sessions& sessions_;
};

}  // namespace phasegate::mcp::http
