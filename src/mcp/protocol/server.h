#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/protocol/tool.h"

/// The Model Context Protocol. Knows nothing of workflows and phases.
namespace phasegate::mcp::protocol {

struct ServerInfo {
  std::string name;
  std::string title;
  std::string version;
  std::string instructions;  ///< under 2 KB, the rule in the first 200 characters
};

/// Answers JSON-RPC messages of both eras, told apart message by message: one with per-request
/// `_meta` is modern (2026-07-28), everything else is legacy (2024-11-05 … 2025-11-25).
/// MCP 2026-07-28 §Versioning; a transport feeds it and writes what comes back. Not thread-safe.
class Server {
 public:
  Server(ServerInfo info, ToolProvider& tools);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// A message as it came in: parsed once, so that a transport can see cancellations among the
  /// messages that still wait.
  class Message;

  /// Parses one line (without its newline). Never fails: what is malformed becomes a message whose
  /// answer is the JSON-RPC error.
  [[nodiscard]] std::unique_ptr<Message> read(std::string_view line) const;

  /// If `message` is `notifications/cancelled`, the id it names as JSON text.
  [[nodiscard]] static std::optional<std::string> cancelled_id(const Message& message);
  /// The id of a request as JSON text; nullopt for notifications, responses and broken messages.
  [[nodiscard]] static std::optional<std::string> request_id(const Message& message);

  /// The answer as one line without newline, or nullopt where none may be sent (notifications,
  /// responses).
  [[nodiscard]] std::optional<std::string> answer(const Message& message);

  /// read and answer in one.
  [[nodiscard]] std::optional<std::string> answer(std::string_view line);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::mcp::protocol
