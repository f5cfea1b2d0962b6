#include "mcp/http/modern_requests.h"

#include <memory>
#include <utility>

#include "mcp/http/body_headers.h"
#include "mcp/http/field_value.h"
#include "mcp/http/replies.h"

namespace phasegate::mcp::http {
namespace {

namespace error_code = protocol::error_code;

/// MCP 2026-07-28 §Error codes: errors about the request as such have a status of their own, errors
/// about what it asks for are answers like any other.
int status_of(int error) {
  switch (error) {
    case error_code::kMethodNotFound:
      return 404;
    case error_code::kParseError:
    case error_code::kInvalidRequest:
    case error_code::kHeaderMismatch:
    case error_code::kMissingClientCapability:
    case error_code::kUnsupportedProtocolVersion:
      return 400;
    default:
      return 200;
  }
}

Response reply(protocol::Answer answer) {
  return json_reply(status_of(answer.error), std::move(answer.line));
}

/// True if something may come before the answer. Only then is it a stream: the status of a stream
/// has been sent before anybody knows what the answer is.
bool streams(const Headers& headers, const protocol::Envelope& envelope) {
  if (envelope.wishes.progress_token.empty() && !envelope.wishes.log_level) return false;
  return accepts_events(headers);
}

}  // namespace

Response ModernRequests::answer(const RequestHead& head, const protocol::Message& request,
                                const protocol::Envelope& envelope, const std::string& principal) {
  const auto refused = [&](const protocol::RpcError& error) {
    return refused_message(server_, request, error, 400);
  };
  if (envelope.malformed) return refused(*envelope.malformed);
  if (const auto error = version_mismatch(head.headers, envelope)) return refused(*error);
  if (envelope.unsupported) return refused(*envelope.unsupported);
  const auto parameters = server_.header_parameters(called_tool(request));
  if (const auto error = header_mismatch(head.headers, request, parameters)) return refused(*error);

  if (request.method == "subscriptions/listen") return listen(request, envelope, principal);
  if (!server_.waits(request, nullptr)) {
    protocol::NoExchange exchange;
    return reply(server_.modern(request, envelope, principal, exchange));
  }
  if (!streams(head.headers, envelope)) {
    const std::shared_ptr<RunningCall> call = calls_.add(request);
    BodyExchange exchange(*call);
    return reply(server_.modern(request, envelope, principal, exchange));
  }
  Response response;
  // The stream is the exchange: when the client closes it, the call is cancelled.
  response.answer = [this, request, envelope, principal](CallStream& stream) {
    stream.finish(server_.modern(request, envelope, principal, stream).line);
  };
  return response;
}

Response ModernRequests::listen(const protocol::Message& request,
                                const protocol::Envelope& envelope, const std::string& principal) {
  auto outcome = server_.listen(request, envelope, principal);
  if (auto* refused = std::get_if<protocol::Answer>(&outcome)) return reply(std::move(*refused));
  auto& listening = std::get<protocol::Listening>(outcome);
  std::string ended = std::move(listening.ended);
  return streams_.response(std::move(ended), [this, listening = std::move(listening)](
                                                 const std::shared_ptr<OpenStream>& stream) {
    return std::make_shared<protocol::Subscriptions::Handle>(
        server_.subscriptions().add(listening.wants, listening.id, stream, listening.acknowledged));
  });
}

}  // namespace phasegate::mcp::http
