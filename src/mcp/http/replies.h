#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "mcp/http/http.h"
#include "mcp/protocol/jsonrpc.h"
#include "mcp/protocol/server.h"

/// The responses of the endpoint, by what they say.
namespace phasegate::mcp::http {

/// A body of JSON.
[[nodiscard]] Response json_reply(int status, std::string body);
/// No body.
[[nodiscard]] Response empty_reply(int status);
/// `{"message": …}`: for what is not the endpoint. It is no JSON-RPC error, by which a client knows
/// a wrong address from a method that does not exist (MCP 2026-07-28 §Protocol Version Header), and
/// has no member that OAuth would read.
[[nodiscard]] Response plain_refusal(int status, std::string_view message);
/// A JSON-RPC error response without id (MCP 2026-07-28 §Streamable HTTP, Security).
[[nodiscard]] Response refusal(int status, std::string_view message);
/// The same, with `Retry-After`.
[[nodiscard]] Response too_many(std::string_view message, std::int64_t seconds);
/// `allowed` is the value of `Allow`.
[[nodiscard]] Response wrong_verb(std::string_view allowed, std::string_view message);

/// The response to a message that is refused before anybody answers it.
[[nodiscard]] Response refused_message(const protocol::Server& server,
                                       const protocol::Message& message,
                                       const protocol::RpcError& error, int status);

}  // namespace phasegate::mcp::http
