#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace phasegate::world {

/// An address on the web, in the parts that a client needs.
struct Url {
  bool secure = false;  ///< https
  std::string host;     ///< in lower case; an IPv6 address without brackets
  int port = 80;
  std::string target;  ///< path and query, at least `/`
};

/// Reads `http://host[:port][/path][?query]`, likewise https; a fragment is left out. Errors
/// (`invalid_url`): another scheme, a user name or password, no host, a bad port, characters that
/// have no place in an address (space, control characters, not ASCII). O(n).
[[nodiscard]] base::Result<Url> parse_url(std::string_view text);

/// True if the host is this machine: 127.0.0.0/8 or ::1 in their usual writing, or `localhost`,
/// which is taken for these whatever the machine's name service says.
[[nodiscard]] bool is_loopback(const Url& url);

/// True if one of `hosts` names it: `name`, or `name:port` for one port only. Case does not matter.
[[nodiscard]] bool is_named(const Url& url, const std::vector<std::string>& hosts);

}  // namespace phasegate::world
