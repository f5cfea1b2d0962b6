#include "mcp/http/known_names.h"

#include <algorithm>

#include "base/text.h"
#include "mcp/http/text.h"

namespace phasegate::mcp::http {
namespace {

bool is_port(std::string_view text) {
  if (text.empty() || text.size() > 5) return false;
  unsigned port = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    port = port * 10 + static_cast<unsigned>(c - '0');
  }
  return port <= 65'535;
}

}  // namespace

KnownNames::KnownNames(const std::vector<std::string>& more)
    : names_{"localhost", "127.0.0.1", "[::1]"} {
  for (const std::string& name : more) {
    const bool bare_ipv6 = name.find(':') != std::string::npos && !name.starts_with('[');
    names_.push_back(base::lowered(bare_ipv6 ? "[" + name + "]" : name));
  }
}

bool KnownNames::is_host(std::string_view host) const {
  // The name is what stands before the port, found without guessing: our names hold no colon
  // outside of brackets. Whatever else is in the text (user, path, zone) then is no name of ours.
  const auto bracket = host.starts_with('[') ? host.find(']') : std::string_view::npos;
  const auto colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon != std::string_view::npos && !is_port(host.substr(colon + 1))) return false;
  const std::string_view name = host.substr(0, colon);
  return std::ranges::any_of(
      names_, [name](const std::string& known) { return equal_without_case(known, name); });
}

bool KnownNames::is_origin(std::string_view origin) const {
  const auto end = origin.find("://");
  if (end == std::string_view::npos) return false;
  const std::string_view scheme = origin.substr(0, end);
  if (!equal_without_case(scheme, "http") && !equal_without_case(scheme, "https")) return false;
  return is_host(origin.substr(end + 3));
}

}  // namespace phasegate::mcp::http
