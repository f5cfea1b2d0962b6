#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "mcp/protocol/exchange.h"
#include "mcp/protocol/jsonrpc.h"
#include "mcp/protocol/legacy_session.h"
#include "mcp/protocol/request_state.h"
#include "mcp/protocol/revision.h"
#include "mcp/protocol/service.h"
#include "mcp/protocol/subscriptions.h"

/// The Model Context Protocol. Knows nothing of workflows and phases.
///
/// - jsonrpc.h         one line as a message: ids, malformed lines, cancellation
/// - revision.h        the protocol's revisions, negotiation, the per-request envelope
/// - service.h         what a server offers: tool.h, resource.h, prompt.h, content.h
/// - call_context.h    what a handler is given: who asks, earlier rounds, progress, logging
/// - encoder.h         answers as lines, in each revision's shape
/// - server.h          message in, answer out
/// - legacy_session.h  what a handshake makes the server remember
/// - subscriptions.h   who is told of changes
/// - request_state.h   the sealed state of a call that waits for input
/// - exchange.h        the edges that a transport implements; stdio.h is one
namespace phasegate::mcp::protocol {

struct ServerInfo {
  std::string name;
  std::string title;
  std::string version;
  std::string instructions;  ///< under 2 KB, the rule in the first 200 characters
};

/// The answer to one request.
struct Answer {
  std::string line;  ///< one JSON-RPC message without newline
  int error = 0;     ///< the code of its error; 0: a result
};

/// A `subscriptions/listen` that was accepted. The transport subscribes with `wants` and `id`,
/// sends `acknowledged` as the first line thereby, and when it ends the stream itself it sends
/// `ended`.
struct Listening {
  Wants wants;
  std::string id;            ///< JSON text
  std::string acknowledged;  ///< the first line of the stream
  std::string ended;         ///< the result that ends it
};

/// A tool's parameter that HTTP repeats in a header (`x-mcp-header`, MCP 2026-07-28 §Tools).
struct HeaderParameter {
  std::string header;             ///< without `Mcp-Param-`
  std::vector<std::string> path;  ///< member names from the root of the arguments
};

/// Answers requests of both eras; the transport tells them apart by read_envelope, message by
/// message. What a legacy client's handshake brought about is in its LegacySession; the server
/// itself remembers nothing between requests. Thread-safe.
class Server {
 public:
  struct Ports {
    Service& service;
    Subscriptions& subscriptions;
    RequestSeal& seal;
    base::Clock& clock;
    base::IdSource& ids;
  };

  /// Throws std::invalid_argument if a tool's schema is not a JSON object.
  Server(ServerInfo info, Ports ports);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// True if answering this request may take longer than a moment (ToolDefinition::waits), so that
  /// it should not hold up others. `legacy`: the session of a request of an older revision, null
  /// for a modern one. `subscriptions/listen` is not meant: it never ends by itself.
  [[nodiscard]] bool waits(const Message& request, const LegacySession* legacy) const;

  /// The answer to a modern request whose envelope is sound (neither malformed nor unsupported).
  /// Never throws for bad input or for a handler that throws.
  [[nodiscard]] Answer modern(const Message& request, const Envelope& envelope,
                              std::string_view principal, Exchange& exchange);

  /// The answer to a legacy request, `initialize` included. A session without a handshake gets what
  /// revision 2025-03-26 would get.
  [[nodiscard]] Answer legacy(const Message& request, LegacySession& session, Exchange& exchange);

  /// The answers to a batch, as one line; nullopt if it asks for none. Only a session of revision
  /// 2025-03-26 may send one.
  [[nodiscard]] std::optional<Answer> legacy_batch(const Message& batch, LegacySession& session,
                                                   Exchange& exchange);

  /// A modern `subscriptions/listen` with a sound envelope.
  [[nodiscard]] std::variant<Listening, Answer> listen(const Message& request,
                                                       const Envelope& envelope,
                                                       std::string_view principal);

  /// A message that is refused as it is: `message.error` of a broken one, or `error`.
  [[nodiscard]] Answer refused(const Message& message, const RpcError& error) const;

  /// The parameters of a tool that a modern HTTP request has to repeat in headers; none for a tool
  /// that does not exist.
  [[nodiscard]] std::vector<HeaderParameter> header_parameters(std::string_view tool) const;

  [[nodiscard]] Subscriptions& subscriptions();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::mcp::protocol
