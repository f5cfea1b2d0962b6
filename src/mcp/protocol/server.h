#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/protocol/jsonrpc.h"
#include "mcp/protocol/tool.h"

/// The Model Context Protocol. Knows nothing of workflows and phases.
///
/// - jsonrpc.h   one line as a message: ids, malformed lines, cancellation
/// - revision.h  the protocol's revisions, negotiation, the per-request envelope
/// - encoder.h   answers as lines, in each revision's shape
/// - tool.h      what a server offers
/// - server.h    message in, answer out
/// - stdio.h     the transport over two file descriptors
namespace phasegate::mcp::protocol {

struct ServerInfo {
  std::string name;
  std::string title;
  std::string version;
  std::string instructions;  ///< under 2 KB, the rule in the first 200 characters
};

/// Answers JSON-RPC messages of both eras, told apart message by message: one with per-request
/// `_meta` is modern (2026-07-28), everything else is legacy (2024-11-05 … 2025-11-25).
/// MCP 2026-07-28 §Versioning; a transport feeds it and writes what comes back. What it remembers
/// is one legacy handshake, so a transport has one per connection. Not thread-safe.
class Server {
 public:
  /// `tools` must outlive the server. Throws std::invalid_argument if a tool's schema is not a
  /// JSON object.
  Server(const ServerInfo& info, ToolProvider& tools);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The answer as one line without newline, or nullopt where none may be sent (notifications,
  /// responses). Never throws for bad input or for a tool that throws: the first is told to the
  /// client, the second is logged and told as an internal error without its text.
  [[nodiscard]] std::optional<std::string> answer(const Message& message);

  /// parse_message and answer in one.
  [[nodiscard]] std::optional<std::string> answer(std::string_view line);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::mcp::protocol
