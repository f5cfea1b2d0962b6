#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mcp/http/http.h"

/// What the values of header fields say (RFC 9110 §5.6, MCP 2026-07-28 §Value Encoding).
namespace phasegate::mcp::http {

/// The value that a header of ours stands for: `=?base64?…?=` decoded, anything else as it is. A
/// value with only one of the two markers is as it is, too. Nullopt for what no client may send:
/// characters that are not visible ASCII, blank or tab; base64 that is not what an encoder writes;
/// encoded bytes that are not UTF-8.
[[nodiscard]] std::optional<std::string> decoded_value(std::string_view value);

/// True for the media type `application/json`, whatever its parameters.
[[nodiscard]] bool is_json_type(std::string_view content_type);

/// True if `accept` (the value of an `Accept` header) names `text/event-stream` and does not give
/// it the weight 0.
[[nodiscard]] bool accepts_events(std::string_view accept);
/// The same for all `Accept` headers of a request together; false if there is none.
[[nodiscard]] bool accepts_events(const Headers& headers);

/// The token of `Bearer TOKEN` (RFC 6750 §2.1), or nullopt for any other credentials.
[[nodiscard]] std::optional<std::string_view> bearer_token(std::string_view authorization);

}  // namespace phasegate::mcp::http
