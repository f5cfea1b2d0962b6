#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "mcp/http/connection.h"
#include "mcp/http/http.h"

namespace phasegate::mcp::http {

/// The stream of one answer, on the connection's own thread.
class ConnectionStream final : public CallStream {
 public:
  /// `write` puts bytes of the body into the response.
  ConnectionStream(Connection& connection, std::chrono::milliseconds heartbeat,
                   std::function<bool(std::string_view)> write)
      : connection_(connection), heartbeat_(heartbeat), write_(std::move(write)) {}

  bool send(std::string line) override;
  void finish(std::string line) override;
  [[nodiscard]] bool cancelled() override;
  bool wait(std::chrono::milliseconds time) override;

 private:
  bool put(std::string_view bytes);

  Connection& connection_;
  std::chrono::milliseconds heartbeat_;
  std::function<bool(std::string_view)> write_;
  TimePoint last_ = std::chrono::steady_clock::now();  ///< something was sent
  bool finished_ = false;
};

}  // namespace phasegate::mcp::http
