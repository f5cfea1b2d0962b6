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
      names_(options.hosts),
      tokens_(options.tokens),
      principal_(options.principal),
      requests_per_second_(options.requests_per_second),
      requests_(requests_per_second_, requests_per_second_ * limits::kHttpBurstSeconds,
                limits::kHttpAddressesMax, clock),
      wrong_tokens_(limits::kHttpWrongTokensPerSecond,
                    static_cast<double>(limits::kHttpWrongTokensMax), limits::kHttpAddressesMax,
                    clock),
      foreign_names_(limits::kHttpWrongTokensPerSecond,
                     static_cast<double>(limits::kHttpWrongTokensMax), limits::kHttpAddressesMax,
                     clock) {}

std::optional<Response> Access::refuse(const RequestHead& head) {
  if (auto response = foreign_name(head)) return response;
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

void Access::log_foreign(const RequestHead& head, std::string_view field) {
  if (foreign_names_.take(head.remote) != 0) return;
  base::log_warning("http.refused",
                    {{"field", std::string(field)},
                     {"value", base::shortened(base::to_utf8(*head.headers.find(field)), 100)},
                     {"remote", head.remote}});
}

std::optional<Response> Access::foreign_name(const RequestHead& head) {
  // Whoever reaches a Unix socket did not get there by a name, and clients put anything into Host.
  const bool by_name = head.remote != "unix";
  const std::size_t hosts = head.headers.count("Host");
  if (hosts > 1 || (hosts == 0 && by_name)) {
    return refusal(400, hosts == 0 ? "`Host` is missing" : "`Host` is there more than once");
  }
  if (by_name && !names_.is_host(*head.headers.find("Host"))) {
    log_foreign(head, "Host");
    return refusal(403,
                   "`Host` is not a name of this server: it answers to localhost, 127.0.0.1, "
                   "[::1] and the names that were allowed with --allow-host when it was started");
  }
  const std::size_t origins = head.headers.count("Origin");
  if (origins == 0) return std::nullopt;
  const std::string& origin = *head.headers.find("Origin");
  if (origins == 1 && names_.is_origin(origin)) return std::nullopt;
  log_foreign(head, "Origin");
  return refusal(403,
                 "`Origin` is not a page of this computer's: a page from elsewhere may not "
                 "use this server");
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
