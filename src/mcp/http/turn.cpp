#include "mcp/http/turn.h"

#include <algorithm>
#include <exception>

#include "base/log.h"
#include "mcp/http/text.h"

namespace phasegate::mcp::http {

std::string Turn::plain_head() const {
  if (!wants_body()) {
    return head.head.method == "HEAD" ? "HEAD / HTTP/1.1\r\n\r\n" : "GET / HTTP/1.1\r\n\r\n";
  }
  std::string text = "POST / HTTP/1.1\r\n";
  if (head.body == ParsedHead::Body::sized) {
    text += "Content-Length: " + std::to_string(head.length) + "\r\n";
  } else {
    text += "Transfer-Encoding: chunked\r\n";
  }
  if (head.expects_continue) text += "Expect: 100-continue\r\n";
  return text + "\r\n";
}

bool can_be_written(const Response& response) {
  return response.status >= 200 && response.status <= 599 && is_value(response.content_type) &&
         std::all_of(response.headers.begin(), response.headers.end(), [](const auto& field) {
           return is_token(field.first) && is_value(field.second);
         });
}

Response internal_error() {
  return to_response({500, "The server failed to answer. Its log says why."});
}

bool call_handler(const std::function<void()>& call) {
  try {
    call();
    return true;
  } catch (const std::exception& error) {
    base::log_error("http.handler_failed", {{"error", error.what()}});
  } catch (...) {
    base::log_error("http.handler_failed");
  }
  return false;
}

}  // namespace phasegate::mcp::http
