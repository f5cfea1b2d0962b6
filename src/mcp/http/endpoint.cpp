#include "mcp/http/endpoint.h"

#include <utility>

#include "base/json.h"
#include "base/limits.h"
#include "mcp/http/access.h"
#include "mcp/http/body_headers.h"
#include "mcp/http/field_value.h"
#include "mcp/http/legacy_requests.h"
#include "mcp/http/modern_requests.h"
#include "mcp/http/open_streams.h"
#include "mcp/http/replies.h"
#include "mcp/http/sessions.h"

namespace phasegate::mcp::http {
namespace {

namespace limits = base::limits;
using protocol::Envelope;
using protocol::Message;
using protocol::RpcError;

enum class HeaderEra { none, legacy, modern, unknown };

/// Which era the `MCP-Protocol-Version` header speaks of.
HeaderEra era_of(const Headers& headers) {
  const std::string* version = headers.find(kVersionHeader);
  if (version == nullptr) return HeaderEra::none;
  for (std::size_t i = 0; i < protocol::kRevisions; ++i) {
    const auto revision = static_cast<protocol::Revision>(i);
    if (*version != protocol::revision_name(revision)) continue;
    return revision >= protocol::Revision::v2026_07_28 ? HeaderEra::modern : HeaderEra::legacy;
  }
  return HeaderEra::unknown;
}

/// A header says that the request carries its metadata, and it does not.
RpcError missing_metadata(const Envelope& envelope) {
  if (envelope.malformed) return *envelope.malformed;
  return {protocol::error_code::kInvalidParams,
          "`params._meta` is missing: with `MCP-Protocol-Version: 2026-07-28` it holds "
          "`io.modelcontextprotocol/protocolVersion` and "
          "`io.modelcontextprotocol/clientCapabilities`",
          ""};
}

RpcError unserved_version(const std::string& requested) {
  base::Json meta;
  meta["_meta"]["io.modelcontextprotocol/protocolVersion"] = requested;
  meta["_meta"]["io.modelcontextprotocol/clientCapabilities"] = base::Json::object();
  return *protocol::read_envelope(&meta).unsupported;
}

}  // namespace

struct Endpoint::State {
  State(protocol::Server& its_server, const EndpointOptions& options, base::Clock& clock,
        base::IdSource& ids)
      : server(its_server),
        access(options, clock),
        sessions(server.subscriptions(), {limits::kHttpSessionsMax, limits::kHttpSessionIdleMs},
                 clock, ids) {}

  [[nodiscard]] Response post(const Request& request, const std::string& principal);
  [[nodiscard]] Response answer(const RequestHead& head, const Message& request,
                                const std::string& principal);

  protocol::Server& server;
  Access access;
  OpenStreams streams;
  Sessions sessions;
  ModernRequests modern{server, streams};
  LegacyRequests legacy{server, streams, sessions};
};

Endpoint::Endpoint(protocol::Server& server, EndpointOptions options, base::Clock& clock,
                   base::IdSource& ids)
    : state_(std::make_unique<State>(server, options, clock, ids)) {}

Endpoint::~Endpoint() = default;

std::optional<Response> Endpoint::refuse(const RequestHead& head) {
  return state_->access.refuse(head);
}

Response Endpoint::handle(const Request& request) {
  const RequestHead& head = request.head;
  const std::optional<std::string> principal = state_->access.principal(head);
  if (!principal) return state_->access.unknown(head);
  if (head.method == "POST") return state_->post(request, *principal);
  if (era_of(head.headers) == HeaderEra::modern) {
    return wrong_verb("POST", "MCP 2026-07-28 has only POST");
  }
  if (head.method == "GET") return state_->legacy.get(head, *principal);
  return state_->legacy.del(head, *principal);
}

void Endpoint::close_streams() {
  state_->streams.close();
  state_->sessions.close();
  state_->modern.stop();
}

Response Endpoint::State::post(const Request& request, const std::string& principal) {
  const RequestHead& head = request.head;
  const std::string* type = head.headers.find("Content-Type");
  if (head.headers.count("Content-Type") != 1 || !is_json_type(*type)) {
    return refusal(415, "`Content-Type` must be application/json");
  }
  const Message message = protocol::parse_message(request.body);
  const HeaderEra era = era_of(head.headers);
  switch (message.kind) {
    case Message::Kind::broken:
      return refused_message(server, message, *message.error, 400);
    case Message::Kind::batch:
      return legacy.batch(head, message, principal);
    case Message::Kind::response:
      // Modern servers ask nothing (MCP 2026-07-28 §Sending Messages).
      if (era == HeaderEra::modern) return refusal(400, "responses cannot be posted in 2026-07-28");
      return legacy.response(head, message, principal);
    case Message::Kind::notification:
      // The modern era defines none over HTTP. Clients send `notifications/cancelled` all the same
      // when they close a stream, and that has already done what it asks for.
      if (era == HeaderEra::modern || protocol::read_envelope(message.params).modern) {
        return empty_reply(202);
      }
      return legacy.notification(head, message, principal);
    case Message::Kind::request:
      break;
  }
  return answer(head, message, principal);
}

Response Endpoint::State::answer(const RequestHead& head, const Message& request,
                                 const std::string& principal) {
  const Envelope envelope = protocol::read_envelope(request.params);
  if (envelope.modern) return modern.answer(head, request, envelope, principal);
  const HeaderEra era = era_of(head.headers);
  const bool handshake = request.method == "initialize";
  if (era == HeaderEra::modern) {
    return refused_message(server, request,
                           handshake ? handshake_mismatch(*head.headers.find(kVersionHeader))
                                     : missing_metadata(envelope),
                           400);
  }
  // Neither a session nor a version that we know: perhaps a client of a later revision.
  if (era == HeaderEra::unknown && !handshake && head.headers.count(kSessionHeader) == 0) {
    return refused_message(server, request, unserved_version(*head.headers.find(kVersionHeader)),
                           400);
  }
  return legacy.request(head, request, principal);
}

}  // namespace phasegate::mcp::http
