#include "world/web/url.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "base/text.h"

namespace phasegate::world {

using base::Error;
using base::Result;

namespace {

constexpr std::size_t kUrlBytesMax = 8192;

Error invalid(std::string_view text, const std::string& why) {
  return {"invalid_url", base::in_quotes(base::shortened(text, 200)) + " " + why,
          "write url: http://localhost:8080/path", ""};
}

bool has_bad_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7F ||
           c == '\\' || c == '"' || c == '<' || c == '>';
  });
}

bool is_ipv6(const std::string& host) {
  in6_addr address{};
  return ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

}  // namespace

Result<Url> parse_url(std::string_view text) {
  if (text.size() > kUrlBytesMax) return invalid(text, "is too long");
  if (has_bad_character(text)) {
    return invalid(text, "holds a character that has no place in an address (write it as %XX)");
  }
  Url url;
  const std::string lower = base::lowered(text.substr(0, 8));
  if (lower.starts_with("https://")) {
    url.secure = true;
    url.port = 443;
    text.remove_prefix(8);
  } else if (lower.starts_with("http://")) {
    text.remove_prefix(7);
  } else {
    return invalid(text, "does not begin with http:// or https://");
  }
  const std::size_t end = std::min(text.find_first_of("/?#"), text.size());
  std::string_view authority = text.substr(0, end);
  std::string_view rest = text.substr(end);
  rest = rest.substr(0, rest.find('#'));
  url.target = rest.starts_with('/') ? std::string(rest) : "/" + std::string(rest);
  if (authority.find('@') != std::string_view::npos) {
    return invalid("the address",
                   "holds a user name or password, which do not belong in a workflow");
  }
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos) return invalid(authority, "is no host: ] is missing");
    url.host = base::lowered(authority.substr(1, close - 1));
    if (!is_ipv6(url.host)) return invalid(authority, "is no IPv6 address");
    port = authority.substr(close + 1);
  } else {
    const std::size_t colon = std::min(authority.find(':'), authority.size());
    url.host = base::lowered(authority.substr(0, colon));
    port = authority.substr(colon);
  }
  if (url.host.empty()) return invalid(authority, "names no host");
  if (port.empty()) return url;
  port.remove_prefix(1);
  const auto [stop, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
  if (error != std::errc() || stop != port.data() + port.size() || url.port < 1 ||
      url.port > 65'535) {
    return invalid(authority, "has no port from 1 to 65535");
  }
  return url;
}

bool is_loopback(const Url& url) {
  if (url.host == "localhost") return true;
  std::array<unsigned char, 16> bytes{};
  if (::inet_pton(AF_INET, url.host.c_str(), bytes.data()) == 1) return bytes[0] == 127;
  in6_addr address{};
  return ::inet_pton(AF_INET6, url.host.c_str(), &address) == 1 &&
         IN6_IS_ADDR_LOOPBACK(&address) != 0;
}

bool is_named(const Url& url, const std::vector<std::string>& hosts) {
  const std::string shown =
      url.host.find(':') == std::string::npos ? url.host : "[" + url.host + "]";
  const std::string with_port = shown + ":" + std::to_string(url.port);
  return std::any_of(hosts.begin(), hosts.end(), [&](const std::string& written) {
    const std::string host = base::lowered(written);
    return host == url.host || host == shown || host == with_port;
  });
}

}  // namespace phasegate::world
