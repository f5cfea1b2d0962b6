#pragma once
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "mcp/protocol/call.h"
#include "mcp/protocol/encoder.h"
#include "mcp/protocol/rounds.h"
#include "mcp/protocol/server.h"
#include "mcp/protocol/tool_catalog.h"

namespace phasegate::mcp::protocol {

/// The inside of a server: dispatch (server.cpp), what it remembers for a session and what it says
/// about itself (server_session.cpp), what its service has (server_service.cpp).
struct Server::State {
  using Handler = Answer (State::*)(const Call&);
  /// Whether the service offers what a method needs.
  using Offered = bool (*)(const Offer&);
  struct Method {
    std::string_view name;
    Handler handler;
    Offered offered;
  };

  State(ServerInfo info, Ports given)
      : ports(given),
        offer(given.service.offer()),
        encoder(info, offer),
        rounds(encoder, given.seal, given.clock, given.ids),
        catalog_(std::make_shared<const ToolCatalog>(given.service.tools())) {}

  [[nodiscard]] static std::span<const Method> methods(bool modern);

  [[nodiscard]] Answer dispatch(const Call& call);
  [[nodiscard]] Answer method_not_found(const Call& call) const;
  [[nodiscard]] Answer refuse(const Call& call, const RpcError& error) const {
    return {encoder.error(call.id(), error), error.code};
  }
  [[nodiscard]] Answer told(const Call& call, std::variant<std::string, RpcError> outcome) const;
  /// Whatever a handler throws is logged and told without its text, which may name files.
  [[nodiscard]] Answer failed(const Message& message, std::string_view problem) const;

  /// The tools as they are now.
  [[nodiscard]] std::shared_ptr<const ToolCatalog> catalog();

  // ── Session and server ─────────────────────────────────────────────────────────────────────────
  [[nodiscard]] Answer initialize(const Call& call);
  [[nodiscard]] Answer ping(const Call& call);
  [[nodiscard]] Answer discover(const Call& call);
  [[nodiscard]] Answer set_log_level(const Call& call);
  [[nodiscard]] Answer subscribe(const Call& call);
  [[nodiscard]] Answer unsubscribe(const Call& call);
  [[nodiscard]] std::variant<Listening, Answer> listen(const Call& call);

  // ── Service ────────────────────────────────────────────────────────────────────────────────────
  [[nodiscard]] Answer list_tools(const Call& call);
  [[nodiscard]] Answer call_tool(const Call& call);
  [[nodiscard]] Answer list_resources(const Call& call);
  [[nodiscard]] Answer list_resource_templates(const Call& call);
  [[nodiscard]] Answer read_resource(const Call& call);
  [[nodiscard]] Answer list_prompts(const Call& call);
  [[nodiscard]] Answer get_prompt(const Call& call);
  [[nodiscard]] Answer complete(const Call& call);

  Ports ports;
  Offer offer;
  Encoder encoder;
  Rounds rounds;

 private:
  std::mutex mutex_;
  std::shared_ptr<const ToolCatalog> catalog_;
};

}  // namespace phasegate::mcp::protocol
