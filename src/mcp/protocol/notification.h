#pragma once
#include <string>
#include <string_view>

#include "base/json_fwd.h"

/// The server's notifications and requests as lines. Ids and tokens are JSON text.
namespace phasegate::mcp::protocol {

/// `params` is JSON text of an object, or empty.
[[nodiscard]] std::string notification(std::string_view method, std::string_view params);
[[nodiscard]] std::string request(std::string_view id, std::string_view method,
                                  const base::Json* params);

/// MCP 2026-07-28 §Progress. A total of 0 is left out, as is an empty message.
[[nodiscard]] std::string progress_notification(std::string_view token, double progress,
                                                double total, std::string_view message);
/// MCP 2025-11-25 §Logging.
[[nodiscard]] std::string log_notification(std::string_view level, std::string_view logger,
                                           const base::Json& data);
/// `,"_meta":{…subscriptionId…}` without its comma, for messages of a listen stream.
[[nodiscard]] std::string subscription_meta(std::string_view id);

}  // namespace phasegate::mcp::protocol
