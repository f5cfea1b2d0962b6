#pragma once
#include <optional>
#include <string_view>

#include "mcp/http/request_head.h"

namespace phasegate::mcp::http {

/// Reads the request target (RFC 9112 §3.2) into the head's path, and holds `Host` to its rules.
/// An absolute target is taken if it names what `Host` names; `*` only for OPTIONS.
[[nodiscard]] std::optional<Refusal> read_target(std::string_view target, ParsedHead& parsed);

}  // namespace phasegate::mcp::http
