#include "mcp/http/target.h"

#include <algorithm>

#include "mcp/http/text.h"

namespace phasegate::mcp::http {
namespace {

std::optional<Refusal> check_host(const ParsedHead& parsed) {
  const std::size_t hosts = parsed.head.headers.count("Host");
  if (hosts > 1) return Refusal{400, "The request has more than one Host header."};
  if (hosts == 0 && !parsed.http_1_0) return Refusal{400, "The request has no Host header."};
  return std::nullopt;
}

/// Cuts `http://authority` off an absolute target.
std::optional<Refusal> cut_authority(std::string_view& target, const ParsedHead& parsed) {
  constexpr std::string_view scheme = "http://";
  if (!equal_without_case(target.substr(0, scheme.size()), scheme)) {
    return Refusal{400, "The target must begin with a slash."};
  }
  target.remove_prefix(scheme.size());
  const std::size_t end = std::min(target.find_first_of("/?"), target.size());
  const std::string* host = parsed.head.headers.find("Host");
  if (host == nullptr || end == 0 || !equal_without_case(target.substr(0, end), *host)) {
    return Refusal{400, "The target and the Host header name different servers."};
  }
  target.remove_prefix(end);
  return std::nullopt;
}

/// Undoes percent-encoding; nullopt for what is no encoding, or hides a control character.
std::optional<std::string> decoded(std::string_view text) {
  std::string path;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (text.size() - i < 3) return std::nullopt;
      const auto high = hex_value(text[i + 1]);
      const auto low = hex_value(text[i + 2]);
      if (!high || !low) return std::nullopt;
      c = static_cast<char>(*high * 16 + *low);
      i += 2;
    }
    if (!is_value_char(c) || c == '\t') return std::nullopt;
    path += c;
  }
  return path;
}

}  // namespace

std::optional<Refusal> read_target(std::string_view target, ParsedHead& parsed) {
  if (auto refusal = check_host(parsed)) return refusal;
  const bool visible =
      std::all_of(target.begin(), target.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  if (!visible || target.find('#') != std::string_view::npos) {
    return Refusal{400, "The target holds a character that must be percent-encoded."};
  }
  if (parsed.head.method == "CONNECT") return Refusal{501, "This server is no proxy."};
  if (target == "*") {
    if (parsed.head.method != "OPTIONS") return Refusal{400, "The target * is for OPTIONS only."};
    parsed.head.path = "*";
    return std::nullopt;
  }
  if (target.substr(0, 1) != "/") {
    if (auto refusal = cut_authority(target, parsed)) return refusal;
  }
  auto path = decoded(target.substr(0, target.find('?')));
  if (!path) return Refusal{400, "The target's percent-encoding is broken."};
  parsed.head.path = path->empty() ? "/" : *std::move(path);
  return std::nullopt;
}

}  // namespace phasegate::mcp::http
