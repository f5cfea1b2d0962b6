#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace phasegate::mcp::http {

/// The names under which this server may be called. A page of somebody else's that makes its own
/// name point to this computer (DNS rebinding) still has to send that name, in `Host` and `Origin`
/// (MCP 2026-07-28 §Streamable HTTP, Security).
class KnownNames {
 public:
  /// `localhost`, `127.0.0.1`, `[::1]` and `more`; an IPv6 address with or without its brackets.
  explicit KnownNames(const std::vector<std::string>& more);

  /// True for `NAME` or `NAME:PORT` with a name of ours, in any case.
  [[nodiscard]] bool is_host(std::string_view host) const;
  /// True for `http://` or `https://` and such a host, and nothing else: never for `null`.
  [[nodiscard]] bool is_origin(std::string_view origin) const;

 private:
  std::vector<std::string> names_;  ///< in lower case
};

}  // namespace phasegate::mcp::http
