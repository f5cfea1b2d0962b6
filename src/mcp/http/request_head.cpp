#include "mcp/http/request_head.h"

#include "mcp/http/framing.h"
#include "mcp/http/target.h"
#include "mcp/http/text.h"

namespace phasegate::mcp::http {
namespace {

/// A robust server passes over an empty line before a request (RFC 9112 §2.2); more are noise.
constexpr std::size_t kEmptyLinesMax = 2;

Refusal too_large(const ListenerLimits& limits) {
  return {431, "The request line and headers may have " + std::to_string(limits.head_bytes_max) +
                   " bytes and " + std::to_string(limits.headers_max) + " fields. Send fewer."};
}

Refusal bad_line_end() {
  return {400, "Every line of a request's head must end in CR LF."};
}

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find("\r\n");
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end + 2);
  return line;
}

std::optional<Refusal> read_request_line(std::string_view line, ParsedHead& parsed,
                                         std::string_view& target) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return Refusal{400, "The first line must be METHOD TARGET HTTP/1.1."};
  }
  const std::string_view method = line.substr(0, first);
  const std::string_view version = line.substr(last + 1);
  target = line.substr(first + 1, last - first - 1);
  if (!is_token(method)) return Refusal{400, "The method is not a word."};
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    const bool other = version.size() == 8 && version.substr(0, 5) == "HTTP/" &&
                       is_digit(version[5]) && version[6] == '.' && is_digit(version[7]);
    if (other) return Refusal{505, "This server speaks HTTP/1.1."};
    return Refusal{400, "The first line must end in HTTP/1.1."};
  }
  parsed.http_1_0 = version == "HTTP/1.0";
  parsed.head.method = std::string(method);
  return std::nullopt;
}

/// The names under which servers pass on who is connected. A client cannot tell us that.
bool claims_address(std::string_view name) {
  return equal_without_case(name.substr(0, 7), "REMOTE_") ||
         equal_without_case(name.substr(0, 6), "LOCAL_");
}

std::optional<Refusal> read_field(std::string_view line, Headers& headers) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    return Refusal{400,
                   "A header must be NAME: VALUE on one line, without a blank before the colon."};
  }
  const std::string_view value = line.substr(colon + 1);
  if (!is_value(value)) {
    return Refusal{400, "A header's value holds a control character."};
  }
  const std::string_view name = line.substr(0, colon);
  if (!claims_address(name)) headers.add(std::string(name), std::string(value));
  return std::nullopt;
}

}  // namespace

Response to_response(const Refusal& refusal) {
  Response response;
  response.status = refusal.status;
  response.content_type = "text/plain; charset=utf-8";
  response.body = refusal.text + "\n";
  response.close = true;
  return response;
}

std::variant<std::monostate, std::size_t, Refusal> HeadEnd::look(std::string_view buffered,
                                                                 const ListenerLimits& limits) {
  while (true) {
    const std::size_t at = buffered.find('\n', scanned_);
    if (at == std::string_view::npos) {
      scanned_ = buffered.size();
      if (scanned_ > limits.head_bytes_max) return too_large(limits);
      return std::monostate{};
    }
    scanned_ = at + 1;
    if (scanned_ > limits.head_bytes_max) return too_large(limits);
    if (at == line_begin_ || buffered[at - 1] != '\r') return bad_line_end();
    const bool empty = at == line_begin_ + 1;
    line_begin_ = scanned_;
    if (empty && begun_) return scanned_;
    if (!empty) begun_ = true;
    if (++lines_ > limits.headers_max + 1 + kEmptyLinesMax) return too_large(limits);
    if (!begun_ && lines_ > kEmptyLinesMax) return bad_line_end();
  }
}

std::variant<ParsedHead, Refusal> parse_head(std::string_view bytes, const ListenerLimits& limits) {
  while (bytes.substr(0, 2) == "\r\n") bytes.remove_prefix(2);
  ParsedHead parsed;
  std::string_view target;
  if (auto refusal = read_request_line(next_line(bytes), parsed, target)) return *refusal;
  Headers& headers = parsed.head.headers;
  std::size_t fields = 0;
  for (std::string_view line = next_line(bytes); !line.empty(); line = next_line(bytes)) {
    if (++fields > limits.headers_max) return too_large(limits);
    if (auto refusal = read_field(line, headers)) return *refusal;
  }
  if (auto refusal = read_target(target, parsed)) return *refusal;
  if (auto refusal = read_framing(parsed, limits)) return *refusal;
  return parsed;
}

}  // namespace phasegate::mcp::http
