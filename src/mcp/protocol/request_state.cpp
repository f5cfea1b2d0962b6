#include "mcp/protocol/request_state.h"

#include "base/base64.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"

namespace phasegate::mcp::protocol {
namespace {

constexpr std::string_view kVersion = "v1.";
constexpr std::size_t kDepthMax = 4;

// The parts of the payload, short because they travel with every retry.
constexpr std::string_view kPrincipal = "p";
constexpr std::string_view kRequest = "r";
constexpr std::string_view kOnce = "o";
constexpr std::string_view kExpires = "e";
constexpr std::string_view kState = "s";

}  // namespace

base::Result<std::string> RequestSeal::seal(const RequestState& state) {
  const auto key = key_();
  if (!key) return key.error();
  base::Json payload = base::Json::object();
  payload[std::string(kPrincipal)] = state.principal;
  payload[std::string(kRequest)] = state.request;
  payload[std::string(kOnce)] = state.once;
  payload[std::string(kExpires)] = state.expires_at_ms;
  payload[std::string(kState)] = state.state;
  const std::string sealed = std::string(kVersion) + base::base64url(base::dump(payload));
  return sealed + "." + base::base64url(base::hmac_sha256(*key, sealed));
}

std::optional<RequestState> RequestSeal::open(std::string_view sealed) {
  if (sealed.size() > base::limits::kRequestStateBytesMax || !sealed.starts_with(kVersion)) {
    return std::nullopt;
  }
  const std::size_t dot = sealed.rfind('.');
  if (dot < kVersion.size()) return std::nullopt;
  const std::string_view body = sealed.substr(0, dot);
  const auto key = key_();
  if (!key) return std::nullopt;
  const std::string expected = base::base64url(base::hmac_sha256(*key, body));
  if (!base::equal_in_constant_time(expected, sealed.substr(dot + 1))) return std::nullopt;

  const auto text = base::from_base64url(body.substr(kVersion.size()));
  if (!text) return std::nullopt;
  const auto payload = base::parse_json(*text, {base::limits::kRequestStateBytesMax, kDepthMax});
  if (!payload) return std::nullopt;
  const auto principal = base::string_member(*payload, kPrincipal);
  const auto request = base::string_member(*payload, kRequest);
  const auto once = base::string_member(*payload, kOnce);
  const auto expires = base::integer_member(*payload, kExpires);
  const auto state = base::string_member(*payload, kState);
  if (!principal || !request || !once || !expires || !state) return std::nullopt;
  return RequestState{*principal, *request, *once, *expires, *state};
}

}  // namespace phasegate::mcp::protocol
