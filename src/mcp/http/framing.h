#pragma once
#include <optional>

#include "mcp/http/request_head.h"

namespace phasegate::mcp::http {

/// Decides from the headers where the body ends (RFC 9112 §6) and what happens to the connection.
/// Everything that a proxy before us could decide in another way is refused.
[[nodiscard]] std::optional<Refusal> read_framing(ParsedHead& parsed, const ListenerLimits& limits);

[[nodiscard]] Refusal body_too_large(const ListenerLimits& limits);

}  // namespace phasegate::mcp::http
