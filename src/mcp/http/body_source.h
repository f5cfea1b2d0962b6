#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include <sys/types.h>

#include "mcp/http/chunked_body.h"
#include "mcp/http/connection.h"
#include "mcp/http/request_head.h"

namespace phasegate::mcp::http {

/// The bytes of one request's body, as the library reads them: no byte beyond the body's end, none
/// beyond the bounds, none after the time for it.
class BodySource {
 public:
  BodySource(Connection& connection, const ParsedHead& head, const ListenerLimits& limits);

  /// As read(2): bytes, 0 at the end, -1 if the body is broken.
  [[nodiscard]] ssize_t read(char* to, std::size_t size);

  /// True once nothing of the body is left on the connection.
  [[nodiscard]] bool finished() const;
  /// Why read() failed; nullopt also if the client went away.
  [[nodiscard]] const std::optional<Refusal>& failure() const { return failure_; }

 private:
  [[nodiscard]] bool fill();
  [[nodiscard]] bool decode();

  Connection& connection_;
  const ListenerLimits& limits_;
  ParsedHead::Body kind_;
  std::size_t left_;  ///< of a sized body
  ChunkedBody chunks_;
  std::string plain_;  ///< of a chunked body, not yet read
  std::size_t read_ = 0;
  std::optional<TimePoint> deadline_;
  std::optional<Refusal> failure_;
};

}  // namespace phasegate::mcp::http
