#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "mcp/http/body_source.h"
#include "mcp/http/connection.h"
#include "mcp/http/http.h"
#include "mcp/http/request_head.h"

namespace phasegate::mcp::http {

/// One request on its way through the library.
struct Turn {
  Connection& connection;
  ParsedHead head;
  BodySource body;
  bool close;  ///< the connection ends after the response
  std::optional<Response> response = std::nullopt;
  std::shared_ptr<void> place = nullptr;  ///< of an open stream
  bool to_stream = false;                 ///< the head of an open stream has been written
  bool stream_ended = false;              ///< an answer's stream has been written to its end

  [[nodiscard]] bool wants_body() const { return !response && head.body != ParsedHead::Body::none; }
  [[nodiscard]] bool ends_connection() const {
    return close || !response || response->open || !body.finished();
  }
  /// The head that the library reads in place of the client's.
  [[nodiscard]] std::string plain_head() const;
};

/// True if the response can be written as it is: a line break in a header would forge others.
[[nodiscard]] bool can_be_written(const Response& response);

[[nodiscard]] Response internal_error();

/// Calls something of the handler's. False if it throws, which is logged.
bool call_handler(const std::function<void()>& call);

}  // namespace phasegate::mcp::http
