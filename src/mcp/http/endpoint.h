#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "mcp/http/http.h"
#include "mcp/http/tokens.h"
#include "mcp/protocol/server.h"

namespace phasegate::mcp::http {

struct EndpointOptions {
  std::string path = "/mcp";
  /// Names (without port) that `Host` and `Origin` may carry beside localhost, 127.0.0.1 and [::1].
  std::vector<std::string> hosts;
  /// Who may ask; null: everybody who can connect, as `principal`.
  std::shared_ptr<const Tokens> tokens;
  std::string principal;       ///< without tokens: the operating system's user
  double requests_per_second;  ///< of one principal, over a while: over it 429. 0: no limit
};

/// The MCP endpoint in both eras (protocol ladder: Host and Origin, path and verb, token, content
/// type, JSON, envelope, headers, method), as a function from requests to responses. Keeps the
/// legacy sessions. Knows no sockets.
class Endpoint final : public Handler {
 public:
  Endpoint(protocol::Server& server, EndpointOptions options, base::Clock& clock,
           base::IdSource& ids);
  ~Endpoint() override;

  [[nodiscard]] std::optional<Response> refuse(const RequestHead& head) override;
  [[nodiscard]] Response handle(const Request& request) override;

  /// Ends every stream, each with what its era defines, and gives up the calls that go on without
  /// their clients: before the listener is stopped. What begins later ends at once.
  void close_streams();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::mcp::http
