#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/ids.h"
#include "mcp/protocol/server.h"

namespace phasegate::test {

/// What the fake server says about itself.
[[nodiscard]] inline mcp::protocol::ServerInfo fake_server_info() {
  return {"fake", "Fake server", "1.2.3", "Call echo first."};
}

/// A server over any service with one client on a connection of its own, without a transport.
struct FakeServer {
  explicit FakeServer(mcp::protocol::Service& service)
      : server(fake_server_info(), {service, subscriptions, seal, clock, ids}),
        session(subscriptions, "ada") {}

  /// The answer to a message in either era, or nullopt where none may be sent.
  std::optional<std::string> answer(const mcp::protocol::Message& message,
                                    mcp::protocol::Exchange& exchange) {
    using Kind = mcp::protocol::Message::Kind;
    switch (message.kind) {
      case Kind::notification:
        return std::nullopt;
      case Kind::response:
        session.responded(message);
        return std::nullopt;
      case Kind::broken:
        return server.refused(message, *message.error).line;
      case Kind::batch: {
        auto answers = server.legacy_batch(message, session, exchange);
        if (!answers) return std::nullopt;
        return std::move(answers->line);
      }
      case Kind::request:
        break;
    }
    const auto envelope = mcp::protocol::read_envelope(message.params);
    if (envelope.malformed) return server.refused(message, *envelope.malformed).line;
    if (envelope.unsupported) return server.refused(message, *envelope.unsupported).line;
    if (envelope.modern) return server.modern(message, envelope, "ada", exchange).line;
    return server.legacy(message, session, exchange).line;
  }
  std::optional<std::string> answer(const mcp::protocol::Message& message) {
    return answer(message, nowhere);
  }
  std::optional<std::string> answer(std::string_view line) {
    return answer(mcp::protocol::parse_message(line));
  }

  mcp::protocol::NoExchange nowhere;
  mcp::protocol::Subscriptions subscriptions;
  mcp::protocol::RequestSeal seal{[] { return std::string(32, 'k'); }};
  base::ManualClock clock;
  base::SystemIdSource ids;
  mcp::protocol::Server server;
  mcp::protocol::LegacySession session;
};

}  // namespace phasegate::test
