#include "mcp/http/replies.h"

#include <utility>

#include "base/json.h"

namespace phasegate::mcp::http {

using base::Json;

Response json_reply(int status, std::string body) {
  Response response;
  response.status = status;
  response.content_type = "application/json";
  response.body = std::move(body);
  return response;
}

Response empty_reply(int status) {
  Response response;
  response.status = status;
  return response;
}

Response plain_refusal(int status, std::string_view message) {
  Json body;
  body["message"] = message;
  return json_reply(status, base::dump(body));
}

Response refusal(int status, std::string_view message) {
  Json body;
  body["jsonrpc"] = "2.0";
  body["error"]["code"] = protocol::error_code::kInvalidRequest;
  body["error"]["message"] = message;
  return json_reply(status, base::dump(body));
}

Response too_many(std::string_view message, std::int64_t seconds) {
  Response response = refusal(429, message);
  response.headers.emplace_back("Retry-After", std::to_string(seconds));
  return response;
}

Response wrong_verb(std::string_view allowed, std::string_view message) {
  Response response = refusal(405, message);
  response.headers.emplace_back("Allow", allowed);
  return response;
}

Response refused_message(const protocol::Server& server, const protocol::Message& message,
                         const protocol::RpcError& error, int status) {
  return json_reply(status, server.refused(message, error).line);
}

}  // namespace phasegate::mcp::http
