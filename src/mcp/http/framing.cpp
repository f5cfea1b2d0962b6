#include "mcp/http/framing.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "mcp/http/text.h"

namespace phasegate::mcp::http {
namespace {

/// True if a list header (`a, b`) holds the word.
bool lists(const Headers& headers, std::string_view name, std::string_view word) {
  for (const auto& [field, value] : headers.all()) {
    if (!equal_without_case(field, name)) continue;
    std::string_view rest = value;
    while (true) {
      const std::size_t comma = rest.find(',');
      if (equal_without_case(trimmed(rest.substr(0, comma)), word)) return true;
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return false;
}

std::optional<Refusal> read_length(std::string_view text, ParsedHead& parsed,
                                   const ListenerLimits& limits) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) {
    return Refusal{400, "Content-Length must be a number in decimal digits."};
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed.length);
  if (error != std::errc{} || parsed.length > limits.body_bytes_max) return body_too_large(limits);
  if (parsed.length > 0) parsed.body = ParsedHead::Body::sized;
  return std::nullopt;
}

std::optional<Refusal> read_expectation(ParsedHead& parsed) {
  const std::string* expect = parsed.head.headers.find("Expect");
  if (expect == nullptr || parsed.http_1_0) return std::nullopt;
  if (!equal_without_case(*expect, "100-continue") || parsed.head.headers.count("Expect") > 1) {
    return Refusal{417, "The only expectation that can be met is 100-continue."};
  }
  parsed.expects_continue = true;
  return std::nullopt;
}

}  // namespace

Refusal body_too_large(const ListenerLimits& limits) {
  return {413, "A request's body may have " + std::to_string(limits.body_bytes_max) + " bytes."};
}

std::optional<Refusal> read_framing(ParsedHead& parsed, const ListenerLimits& limits) {
  const RequestHead& head = parsed.head;
  const std::size_t lengths = head.headers.count("Content-Length");
  const std::size_t encodings = head.headers.count("Transfer-Encoding");
  if (lengths + encodings > 1) {
    return Refusal{400,
                   "The body's end is announced twice: send Content-Length once, or "
                   "Transfer-Encoding: chunked."};
  }
  if (encodings == 1) {
    if (parsed.http_1_0 ||
        !equal_without_case(*head.headers.find("Transfer-Encoding"), "chunked")) {
      return Refusal{400, "The only Transfer-Encoding is chunked, with HTTP/1.1."};
    }
    parsed.body = ParsedHead::Body::chunked;
  } else if (lengths == 1) {
    if (auto refusal = read_length(*head.headers.find("Content-Length"), parsed, limits)) {
      return refusal;
    }
  } else if (head.method == "POST" || head.method == "PUT" || head.method == "PATCH") {
    return Refusal{411, "Send Content-Length, or Transfer-Encoding: chunked."};
  }
  if (head.method == "HEAD" && parsed.body != ParsedHead::Body::none) {
    return Refusal{400, "A HEAD request has no body."};
  }
  if (const std::string* coding = head.headers.find("Content-Encoding");
      coding != nullptr && !equal_without_case(*coding, "identity")) {
    return Refusal{415, "Send the body as it is, without Content-Encoding."};
  }
  parsed.close = parsed.http_1_0 || lists(head.headers, "Connection", "close");
  return read_expectation(parsed);
}

}  // namespace phasegate::mcp::http
