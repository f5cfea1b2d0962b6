#include "app/cli/serve_help.h"

#include <filesystem>

#include "app/cli/text.h"

namespace phasegate::app::cli {

using mcp::http::Address;

namespace {

bool is_every_address(const Address& address) {
  return address.host == "0.0.0.0" || address.host == "::";
}

}  // namespace

std::string serving_line(const Address& bound, std::string_view path, bool with_tokens) {
  const std::string where = to_text(bound);
  std::string line = "phasegate: serving MCP at ";
  if (bound.kind == Address::Kind::unix_socket) {
    // No client knows such addresses by itself; a proxy in front of it does.
    return line + shown(where) + ", path " + std::string(path) + "; try: curl --unix-socket " +
           shell_word(std::filesystem::absolute(bound.path).string()) + " http://localhost" +
           std::string(path) + " -H Content-Type:application/json -d " +
           R"('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"curl","version":"1"}}}')"
           "\n";
  }
  const std::string url = "http://" + where + std::string(path);
  line += url + "; connect: claude mcp add --transport http phasegate " + url;
  if (with_tokens) line += " --header \"Authorization: Bearer TOKEN\"";
  if (is_every_address(bound)) {
    line += " (with this machine's name in place of the address, allowed by --allow-host)";
  }
  return line + "\n";
}

std::string base_of(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

std::string base_of(const Address& bound) {
  if (bound.kind != Address::Kind::tcp || is_every_address(bound)) return "";
  return "http://" + to_text(bound);
}

std::optional<std::string> own_host(const Address& address) {
  if (address.kind != Address::Kind::tcp || is_loopback(address) || is_every_address(address)) {
    return std::nullopt;
  }
  const bool is_ipv6 = address.host.find(':') != std::string::npos;
  return is_ipv6 ? "[" + address.host + "]" : address.host;
}

}  // namespace phasegate::app::cli
