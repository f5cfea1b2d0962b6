#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mcp/http/listener.h"

namespace phasegate::app::cli {

/// Where `serve` listens if nothing is said.
inline constexpr std::string_view kListenDefault = "127.0.0.1:8765";

/// The line that says where is served and how a client is connected.
[[nodiscard]] std::string serving_line(const mcp::http::Address& bound, std::string_view path,
                                       bool with_tokens);

/// How people reach the server's pages, without a `/` at the end: as they said, or where it
/// listens. Empty for a socket file and for all addresses at once, which nobody can type.
[[nodiscard]] std::string base_of(std::string url);
[[nodiscard]] std::string base_of(const mcp::http::Address& bound);

/// The address as clients name it in `Host`, if it is a particular one of this machine that the
/// endpoint does not know by itself; nullopt for the loopback, for a socket file and for all
/// addresses at once, whose names nobody can tell but who starts it.
[[nodiscard]] std::optional<std::string> own_host(const mcp::http::Address& address);

}  // namespace phasegate::app::cli
