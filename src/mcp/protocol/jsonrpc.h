#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_fwd.h"

/// JSON-RPC 2.0 as the Model Context Protocol uses it: what one line says, before anybody asks
/// what it means.
namespace phasegate::mcp::protocol {

/// The error codes that this server sends (MCP 2026-07-28 §Error codes).
namespace error_code {
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kResourceNotFound = -32002;  ///< up to 2025-11-25
inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kMissingClientCapability = -32021;
inline constexpr int kUnsupportedProtocolVersion = -32022;
}  // namespace error_code

/// A JSON-RPC error object.
struct RpcError {
  int code = error_code::kInternalError;
  std::string message;  ///< one short sentence
  std::string data;     ///< JSON text, or empty
};

/// One message as it came in. Copies are cheap: the document is shared.
struct Message {
  enum class Kind {
    request,
    notification,
    response,  ///< an answer of the client's to a request of ours; `document` holds it
    batch,     ///< an array; only revision 2025-03-26 has them
    broken,    ///< not a JSON-RPC message; `error` is its answer
  };

  Kind kind = Kind::broken;
  std::string id;      ///< as JSON text, to be sent back verbatim; empty if there is none
  std::string method;  ///< of requests and notifications
  std::shared_ptr<const base::Json> document;
  const base::Json* params = nullptr;  ///< an object inside `document`, or null if there are none
  std::optional<RpcError> error;       ///< of broken messages
};

/// How many values a message may hold. Each takes memory and time, however few bytes it has.
inline constexpr std::size_t kMessageValuesMax = 100'000;

/// Reads one line (without its newline). Never fails: what is malformed, too large or too deep
/// becomes a `broken` message, with the request's id wherever that could be read. O(line).
[[nodiscard]] Message parse_message(std::string_view line);

/// How much of the beginning and of the end of an oversized line is kept to find its id in.
inline constexpr std::size_t kKeptOfOversized = 4096;

/// The message for a line over limits::kMessageBytesMax, of which `head` and `tail` were kept.
/// `tail` must be the true end of the line, or empty.
[[nodiscard]] Message oversized_message(std::string_view head, std::string_view tail);

/// The number of messages in a batch, and one of them; a batch within a batch is `broken`.
[[nodiscard]] std::size_t batch_size(const Message& batch);
[[nodiscard]] Message batch_element(const Message& batch, std::size_t index);

/// The id, as JSON text, of the request that a `notifications/cancelled` names; empty for any other
/// message and for one that names none.
[[nodiscard]] std::string cancelled_id(const Message& notification);

/// True if `notification` is a `notifications/cancelled` that names the request `waiting`. An
/// `initialize` cannot be cancelled (MCP 2025-11-25 §Cancellation).
[[nodiscard]] bool cancels(const Message& notification, const Message& waiting);

}  // namespace phasegate::mcp::protocol
