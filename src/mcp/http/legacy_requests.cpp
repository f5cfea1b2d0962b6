#include "mcp/http/legacy_requests.h"

#include <utility>

#include "base/text.h"
#include "mcp/http/body_headers.h"
#include "mcp/http/field_value.h"
#include "mcp/http/replies.h"

namespace phasegate::mcp::http {
namespace {

using protocol::Message;
using protocol::Revision;
using protocol::RpcError;

RpcError invalid(std::string message) {
  return {protocol::error_code::kInvalidRequest, std::move(message), ""};
}

/// What is wrong with the revision that the header names. None at all is fine: 2025-03-26 had no
/// such header, and the session knows its revision (MCP 2025-11-25 §Protocol Version Header).
std::optional<RpcError> version_error(const Headers& headers) {
  const std::size_t count = headers.count(kVersionHeader);
  if (count == 0) return std::nullopt;
  if (count > 1) return invalid("`MCP-Protocol-Version` is there more than once");
  const std::string& named = *headers.find(kVersionHeader);
  for (const Revision revision : {Revision::v2024_11_05, Revision::v2025_03_26,
                                  Revision::v2025_06_18, Revision::v2025_11_25}) {
    if (named == protocol::revision_name(revision)) return std::nullopt;
  }
  return invalid("`MCP-Protocol-Version` says " +
                 base::in_quotes(base::shortened(base::to_utf8(named), 64)) +
                 ", which has no sessions here; send the version that `initialize` answered");
}

}  // namespace

Response LegacyRequests::request(const RequestHead& head, const Message& message,
                                 const std::string& principal) {
  if (message.method == "initialize") return initialize(message, principal);
  Found found = session(head, message, principal);
  if (auto* refused = std::get_if<Response>(&found)) return std::move(*refused);
  const auto& session = std::get<std::shared_ptr<Session>>(found);
  if (!server_.waits(message, &session->legacy)) {
    protocol::NoExchange exchange;
    return json_reply(200, server_.legacy(message, session->legacy, exchange).line);
  }
  // Registered from here on: the client may cancel before the stream's head is out.
  const std::shared_ptr<RunningCall> call = session->calls.add(message);
  if (!accepts_events(head.headers)) {
    BodyExchange exchange(*call);
    return json_reply(200, server_.legacy(message, session->legacy, exchange).line);
  }
  Response response;
  response.answer = [this, session, call](CallStream& stream) {
    LegacyStreamExchange exchange(stream, *call);
    protocol::Answer answer = server_.legacy(call->request(), session->legacy, exchange);
    // What was cancelled gets no answer (MCP 2025-11-25 §Cancellation).
    if (call->ended() == RunningCall::Ended::withdrawn) return;
    stream.finish(std::move(answer.line));
  };
  return response;
}

Response LegacyRequests::initialize(const Message& message, const std::string& principal) {
  const std::shared_ptr<Session> session = sessions_.make(principal);
  protocol::NoExchange exchange;
  protocol::Answer answer = server_.legacy(message, session->legacy, exchange);
  Response response = json_reply(200, std::move(answer.line));
  if (answer.error != 0) return response;
  sessions_.keep(session);
  response.headers.emplace_back(kSessionHeader, session->id());
  return response;
}

Response LegacyRequests::batch(const RequestHead& head, const Message& message,
                               const std::string& principal) {
  const RpcError refusal = invalid(
      "the body must be one JSON-RPC message; only a session of 2025-03-26 may send several in an "
      "array");
  if (head.headers.count(kSessionHeader) == 0) {
    return refused_message(server_, message, refusal, 400);
  }
  Found found = session(head, message, principal);
  if (auto* refused = std::get_if<Response>(&found)) return std::move(*refused);
  const auto& session = std::get<std::shared_ptr<Session>>(found);
  if (session->legacy.revision() != Revision::v2025_03_26) {
    return refused_message(server_, message, refusal, 400);
  }
  const std::shared_ptr<RunningCall> call = session->calls.add(message);
  BodyExchange exchange(*call);
  auto answer = server_.legacy_batch(message, session->legacy, exchange);
  if (!answer) return empty_reply(202);
  return json_reply(answer->error == 0 ? 200 : 400, std::move(answer->line));
}

Response LegacyRequests::notification(const RequestHead& head, const Message& message,
                                      const std::string& principal) {
  // Without a session there is nobody whom it could concern, but it does no harm either.
  if (head.headers.count(kSessionHeader) == 0) return empty_reply(202);
  Found found = session(head, message, principal);
  if (auto* refused = std::get_if<Response>(&found)) return std::move(*refused);
  std::get<std::shared_ptr<Session>>(found)->calls.withdraw(message);
  return empty_reply(202);
}

Response LegacyRequests::response(const RequestHead& head, const Message& message,
                                  const std::string& principal) {
  if (head.headers.count(kSessionHeader) == 0) {
    return refusal(400,
                   "this server has asked nothing, so it takes no response; only a client "
                   "with a session is ever asked");
  }
  Found found = session(head, message, principal);
  if (auto* refused = std::get_if<Response>(&found)) return std::move(*refused);
  std::get<std::shared_ptr<Session>>(found)->legacy.responded(message);
  return empty_reply(202);
}

Response LegacyRequests::get(const RequestHead& head, const std::string& principal) {
  if (head.headers.count(kSessionHeader) == 0) {
    return wrong_verb("POST",
                      "GET opens the stream of a session and wants its `Mcp-Session-Id`; "
                      "everything else is a POST");
  }
  Found found = session(head, Message{}, principal);
  if (auto* refused = std::get_if<Response>(&found)) return std::move(*refused);
  return streams_.response("", [session = std::get<std::shared_ptr<Session>>(found)](
                                   const std::shared_ptr<OpenStream>& stream) {
    session->attach(stream);
    return nullptr;
  });
}

Response LegacyRequests::del(const RequestHead& head, const std::string& principal) {
  if (head.headers.count(kSessionHeader) == 0) {
    return wrong_verb("POST", "DELETE ends a session and wants its `Mcp-Session-Id`");
  }
  Found found = session(head, Message{}, principal);
  if (auto* refused = std::get_if<Response>(&found)) return std::move(*refused);
  sessions_.end(*std::get<std::shared_ptr<Session>>(found));
  return empty_reply(204);
}

LegacyRequests::Found LegacyRequests::session(const RequestHead& head, const Message& message,
                                              const std::string& principal) {
  const auto refused = [&](int status, const RpcError& error) {
    // Only a request has an id that its refusal could carry.
    return message.kind == Message::Kind::request ? refused_message(server_, message, error, status)
                                                  : refusal(status, error.message);
  };
  const std::size_t count = head.headers.count(kSessionHeader);
  if (count == 0) {
    return refused(400, invalid("`Mcp-Session-Id` is missing; start with `initialize`, or send the "
                                "metadata of MCP 2026-07-28 with each request"));
  }
  if (count > 1) return refused(400, invalid("`Mcp-Session-Id` is there more than once"));
  auto session = sessions_.find(*head.headers.find(kSessionHeader), principal);
  if (!session) {
    return refused(404, invalid("there is no such session, or it has ended; start anew with "
                                "`initialize`, without `Mcp-Session-Id`"));
  }
  if (const auto error = version_error(head.headers)) return refused(400, *error);
  return session;
}

}  // namespace phasegate::mcp::http
