#include "mcp/http/access.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/text.h"
#include "mcp/http/field_value.h"
#include "mcp/http/replies.h"

namespace phasegate::mcp::http {
namespace {

namespace limits = base::limits;

constexpr std::string_view kVerbs = "POST, GET, DELETE";

}  // namespace

Access::Access(const EndpointOptions& options, base::Clock& clock)
    : path_(options.path),
      names_(options.hosts, clock),
      tokens_(options.tokens),
      principal_(options.principal),
      requests_per_second_(options.requests_per_second),
      requests_(requests_per_second_, requests_per_second_ * limits::kHttpBurstSeconds,
                limits::kHttpAddressesMax, clock),
      wrong_tokens_(limits::kHttpWrongTokensPerSecond,
                    static_cast<double>(limits::kHttpWrongTokensMax), limits::kHttpAddressesMax,
                    clock) {}

std::optional<Response> Access::refuse(const RequestHead& head) {
  if (const auto foreign = names_.refuse(head)) return refusal(foreign->status, foreign->text);
  if (auto response = wrong_address(head)) return response;
  if (head.method != "POST" && head.method != "GET" && head.method != "DELETE") {
    return wrong_verb(kVerbs, "the MCP endpoint takes POST, and GET and DELETE for a session");
  }
  const std::optional<std::string> who = principal(head);
  if (!who) return unknown(head);
  if (requests_per_second_ <= 0) return std::nullopt;
  const std::int64_t seconds = requests_.take(*who);
  if (seconds == 0) return std::nullopt;
  return too_many("more than " + base::number_text(requests_per_second_) +
                      " requests a second over a while; try again later",
                  seconds);
}

std::optional<Response> Access::wrong_address(const RequestHead& head) const {
  if (head.path == path_) return std::nullopt;
  if (head.path == "/.well-known" || head.path.starts_with("/.well-known/")) {
    return plain_refusal(404,
                         "this server has no OAuth and no metadata; if it asks for a token, "
                         "it is one that its operator gives out");
  }
  return plain_refusal(404, "there is nothing here; the MCP endpoint is " + path_);
}

std::optional<std::string> Access::principal(const RequestHead& head) const {
  if (!tokens_) return principal_;
  if (head.headers.count("Authorization") != 1) return std::nullopt;
  const auto token = bearer_token(*head.headers.find("Authorization"));
  return token ? tokens_->name_of(*token) : std::nullopt;
}

Response Access::unknown(const RequestHead& head) {
  // The right token passes however many wrong ones came before: nobody can lock out others of the
  // same address, and guessing a token is hopeless at any rate. What is limited is the noise.
  const std::int64_t seconds = wrong_tokens_.take(head.remote);
  if (seconds != 0) return too_many("too many requests without a valid token", seconds);
  const bool given = head.headers.count("Authorization") != 0;
  base::log_warning("http.unauthorized",
                    {{"token", given ? "wrong" : "missing"}, {"remote", head.remote}});
  Response response =
      refusal(401, given ? "the token in `Authorization` is not one that this server knows"
                         : "this server wants `Authorization: Bearer TOKEN`, with a token from its "
                           "tokens file");
  // Without `resource_metadata`: there is no OAuth to be discovered.
  response.headers.emplace_back("WWW-Authenticate",
                                given ? "Bearer error=\"invalid_token\"" : "Bearer");
  return response;
}

}  // namespace phasegate::mcp::http
