#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "mcp/protocol/call_context.h"
#include "mcp/protocol/exchange.h"
#include "mcp/protocol/jsonrpc.h"
#include "mcp/protocol/peer.h"
#include "mcp/protocol/revision.h"
#include "mcp/protocol/subscriptions.h"

namespace phasegate::mcp::protocol {

/// What the handshake revisions define to be remembered between requests: of the process over
/// stdio, of the `Mcp-Session-Id` over HTTP (MCP 2025-11-25 §Lifecycle). Thread-safe: requests of
/// one session may be answered at the same time.
class LegacySession {
 public:
  /// `stream` takes what belongs to no request. It is held weakly and may be replaced.
  LegacySession(Subscriptions& subscriptions, std::string principal);
  ~LegacySession();
  LegacySession(const LegacySession&) = delete;
  LegacySession& operator=(const LegacySession&) = delete;

  /// Where unsolicited messages go: the pipe, or the stream that the client opened with GET. While
  /// there is none they are not sent.
  void set_stream(std::weak_ptr<Sink> stream);

  /// The negotiated revision, or nullopt before the handshake.
  [[nodiscard]] std::optional<Revision> revision() const;
  [[nodiscard]] Peer peer() const;

  /// A handshake, perhaps not the first: starts over.
  void negotiated(Revision revision, std::string client_name, ClientCapabilities capabilities,
                  Wants wants);

  [[nodiscard]] std::optional<LogLevel> log_level() const;
  void set_log_level(LogLevel level);

  /// False if there are too many subscriptions already (limits::kSubscriptionsMax).
  [[nodiscard]] bool subscribe(std::string uri);
  void unsubscribe(std::string_view uri);

  // ── Requests of the server's (MCP 2025-11-25 §Elicitation) ─────────────────────────────────────

  struct Ask {
    std::string id;    ///< of the server's request
    std::string line;  ///< the request, to be sent
  };
  /// What came of it: the client's result, or nothing if it failed, was refused, came too late or
  /// was given up. Nothing is never a yes.
  using Answered = std::shared_ptr<const base::Json>;

  /// Registers a request of the server's under an id of its own.
  [[nodiscard]] Ask begin_ask(std::string_view method, const base::Json* params);
  /// Waits for its answer until `deadline`, or until `exchange` is cancelled or its client is gone.
  [[nodiscard]] Answered await(const Ask& ask, std::chrono::steady_clock::time_point deadline,
                               Exchange& exchange);
  /// Gives a response of the client's to whoever waits for it; one that nobody waits for is
  /// ignored.
  void responded(const Message& response);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::mcp::protocol
