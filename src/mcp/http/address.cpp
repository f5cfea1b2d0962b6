#include <algorithm>
#include <charconv>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

#include "mcp/http/listener.h"
#include "mcp/http/text.h"

namespace phasegate::mcp::http {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr std::string_view kForms =
    "Write 127.0.0.1:8765, [::1]:8765, localhost:8765 or unix:PATH.";

base::Error unclear(std::string_view text, std::string_view why) {
  return {"invalid_argument", "The address \"" + std::string(text) + "\" " + std::string(why) + ".",
          std::string(kForms), ""};
}

base::Result<Address> parse_unix(std::string_view text) {
  const std::string_view path = text.substr(kUnix.size());
  constexpr std::size_t longest = sizeof(sockaddr_un::sun_path) - 1;
  if (path.empty()) return unclear(text, "has no path");
  if (path.find('\0') != std::string_view::npos) return unclear(text, "has a NUL in its path");
  if (path.size() > longest) {
    return base::Error{"invalid_argument",
                       "The path of the socket has " + std::to_string(path.size()) + " bytes; " +
                           std::to_string(longest) + " are possible.",
                       "Choose a shorter path.", ""};
  }
  Address address;
  address.kind = Address::Kind::unix_socket;
  address.path = std::string(path);
  return address;
}

bool is_address(int family, const std::string& host) {
  in6_addr any{};
  return ::inet_pton(family, host.c_str(), &any) == 1;
}

}  // namespace

base::Result<Address> parse_address(std::string_view text) {
  if (text.substr(0, kUnix.size()) == kUnix) return parse_unix(text);
  if (text.find("://") != std::string_view::npos) {
    return unclear(text,
                   "is a URL; write it without what stands before the address and behind the port");
  }
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_digit)) {
    return unclear(text, "has no host in front of the port");
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return unclear(text, "has no port");
  std::string_view host = text.substr(0, colon);
  const std::string_view digits = text.substr(colon + 1);

  Address address;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), address.port);
  const bool number = std::all_of(digits.begin(), digits.end(), is_digit) && error == std::errc{};
  if (digits.empty() || !number || address.port > 65535) {
    return unclear(text, "has no port from 0 to 65535 behind the last colon");
  }
  if (host.empty()) return unclear(text, "does not say which of this computer's addresses");
  if (equal_without_case(host, "localhost")) host = "127.0.0.1";
  const bool brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  address.host = std::string(brackets ? host.substr(1, host.size() - 2) : host);
  if (brackets) {
    if (!is_address(AF_INET6, address.host))
      return unclear(text, "has no IPv6 address in brackets");
  } else if (address.host.find(':') != std::string::npos) {
    return unclear(text, "has an IPv6 address without brackets");
  } else if (!is_address(AF_INET, address.host)) {
    return unclear(text, "needs a numeric address; names are not looked up");
  }
  return address;
}

bool is_loopback(const Address& address) {
  if (address.kind == Address::Kind::unix_socket) return true;
  in_addr four{};
  if (::inet_pton(AF_INET, address.host.c_str(), &four) == 1) {
    return (ntohl(four.s_addr) >> 24U) == 127;
  }
  in6_addr six{};
  return ::inet_pton(AF_INET6, address.host.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

std::string to_text(const Address& address) {
  if (address.kind == Address::Kind::unix_socket) return std::string(kUnix) + address.path;
  const bool six = address.host.find(':') != std::string::npos;
  return (six ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

}  // namespace phasegate::mcp::http
