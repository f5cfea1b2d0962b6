#pragma once
#include <optional>
#include <vector>

#include "mcp/http/http.h"
#include "mcp/protocol/jsonrpc.h"
#include "mcp/protocol/revision.h"
#include "mcp/protocol/server.h"

/// The headers that repeat what the body of a modern request says, so that others can route it
/// without reading it: they must say the same (MCP 2026-07-28 §Request Metadata, Server
/// Validation). All errors are -32020.
namespace phasegate::mcp::http {

inline constexpr std::string_view kVersionHeader = "MCP-Protocol-Version";
inline constexpr std::string_view kSessionHeader = "Mcp-Session-Id";

/// What is wrong with `MCP-Protocol-Version`, or nullopt.
[[nodiscard]] std::optional<protocol::RpcError> version_mismatch(
    const Headers& headers, const protocol::Envelope& envelope);

/// What is wrong with `Mcp-Method`, `Mcp-Name` and `Mcp-Param-…`, or nullopt. `parameters` are
/// those of the tool that is called.
[[nodiscard]] std::optional<protocol::RpcError> header_mismatch(
    const Headers& headers, const protocol::Message& request,
    const std::vector<protocol::HeaderParameter>& parameters);

/// The name of the tool that `request` calls, or empty.
[[nodiscard]] std::string called_tool(const protocol::Message& request);

/// The error for an `initialize` under a modern `MCP-Protocol-Version`.
[[nodiscard]] protocol::RpcError handshake_mismatch(std::string_view version);

}  // namespace phasegate::mcp::http
