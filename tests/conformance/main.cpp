// phasegate-conformance --listen ADDRESS | --stdio
//
// The server, transports and endpoint of phasegate with the tools, prompts and resources which the
// official conformance suites call by name. Says `listening on ADDRESS` once it does.
#include <array>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>

#include <poll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/ids.h"
#include "mcp/http/endpoint.h"
#include "mcp/http/listener.h"
#include "mcp/protocol/request_state.h"
#include "mcp/protocol/server.h"
#include "mcp/protocol/stdio.h"
#include "mcp/protocol/stop_signals.h"
#include "mcp/protocol/subscriptions.h"
#include "tests/conformance/fixture.h"

namespace phasegate::conformance {
namespace {

/// Everybody who can connect.
constexpr const char* kPrincipal = "conformance";

/// The key of this process: no state of a call has to outlive it.
std::string new_key(base::IdSource& ids) {
  return ids.new_id() + ids.new_id();
}

/// Everything behind the transports.
class Desk {
 public:
  Desk()
      : fixture_(subscriptions_),
        seal_([key = new_key(ids_)] { return key; }),
        server_({"phasegate-conformance", "Conformance fixture", "1.0.0",
                 "Tools, prompts and resources that conformance suites call by name."},
                {fixture_, subscriptions_, seal_, clock_, ids_}) {}

  mcp::protocol::Server& server() { return server_; }
  base::Clock& clock() { return clock_; }
  base::IdSource& ids() { return ids_; }

 private:
  base::SystemClock clock_;
  base::SystemIdSource ids_;
  mcp::protocol::Subscriptions subscriptions_;
  Fixture fixture_;
  mcp::protocol::RequestSeal seal_;
  mcp::protocol::Server server_;
};

int listen(Desk& desk, std::string_view where) {
  const auto address = mcp::http::parse_address(where);
  if (!address) {
    std::cerr << "phasegate-conformance: " << base::to_text(address.error()) << '\n';
    return 2;
  }
  mcp::http::EndpointOptions options;
  options.principal = kPrincipal;
  options.requests_per_second = 0;
  mcp::http::Endpoint endpoint(desk.server(), options, desk.clock(), desk.ids());
  mcp::http::Listener listener(endpoint, mcp::http::default_limits());
  const auto bound = listener.bind(*address);
  if (!bound) {
    std::cerr << "phasegate-conformance: " << base::to_text(bound.error()) << '\n';
    return 1;
  }
  mcp::protocol::StopSignals signals;
  std::array<int, 2> done{};
  if (::pipe(done.data()) != 0) return 1;
  std::jthread stopper([&] {
    std::array<pollfd, 2> wait{{{signals.fd(), POLLIN, 0}, {done[0], POLLIN, 0}}};
    while (::poll(wait.data(), wait.size(), -1) <= 0) {
    }
    endpoint.close_streams();
    listener.stop();
  });
  std::cout << "listening on " << mcp::http::to_text(*bound) << std::endl;
  listener.run();
  ::close(done[1]);
  stopper.join();
  ::close(done[0]);
  return 0;
}

}  // namespace
}  // namespace phasegate::conformance

int main(int count, char** values) {
  using phasegate::conformance::Desk;
  using phasegate::conformance::kPrincipal;
  const std::string_view mode = count > 1 ? values[1] : "";
  if (mode == "--stdio" && count == 2) {
    Desk desk;
    return phasegate::mcp::protocol::serve_stdio(desk.server(), kPrincipal, STDIN_FILENO,
                                                 STDOUT_FILENO);
  }
  if (mode == "--listen" && count == 3) {
    Desk desk;
    return phasegate::conformance::listen(desk, values[2]);
  }
  std::cerr << "phasegate-conformance: --listen ADDRESS | --stdio\n";
  return 2;
}
