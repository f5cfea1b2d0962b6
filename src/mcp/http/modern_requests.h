#pragma once
#include <string>

#include "mcp/http/http.h"
#include "mcp/http/open_streams.h"
#include "mcp/http/running_calls.h"
#include "mcp/protocol/server.h"

namespace phasegate::mcp::http {

/// Answers requests that carry their own metadata (MCP 2026-07-28 §Streamable HTTP). Remembers
/// nothing between them. Thread-safe.
class ModernRequests {
 public:
  ModernRequests(protocol::Server& server, OpenStreams& streams)
      : server_(server), streams_(streams) {}

  [[nodiscard]] Response answer(const RequestHead& head, const protocol::Message& request,
                                const protocol::Envelope& envelope, const std::string& principal);

  /// Gives up every call whose client could not be seen to leave.
  void stop() { calls_.stop(); }

 private:
  [[nodiscard]] Response listen(const protocol::Message& request,
                                const protocol::Envelope& envelope, const std::string& principal);

  protocol::Server& server_;
  OpenStreams& streams_;
  RunningCalls calls_;
};

}  // namespace phasegate::mcp::http
