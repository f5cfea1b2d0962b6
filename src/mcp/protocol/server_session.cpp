#include <algorithm>
#include <vector>

#include "base/json.h"
#include "base/limits.h"
#include "mcp/protocol/server_state.h"

namespace phasegate::mcp::protocol {
namespace {

using base::Json;

std::optional<RpcError> uri_error(std::string_view uri) {
  if (!uri.empty() && uri.size() <= base::limits::kUriBytesMax) return std::nullopt;
  return invalid_params("a `uri` has 1 to " + std::to_string(base::limits::kUriBytesMax) +
                        " bytes, not " + std::to_string(uri.size()));
}

/// What a listen asks for, before it is known what of it is offered.
std::variant<Wants, RpcError> read_wants(const Json& object) {
  Wants wants;
  const std::array<std::pair<const char*, bool*>, 3> flags{
      {{"toolsListChanged", &wants.tools},
       {"promptsListChanged", &wants.prompts},
       {"resourcesListChanged", &wants.resources}}};
  for (const auto& [name, flag] : flags) {
    const Json* value = base::find_member(object, name);
    if (value == nullptr || value->is_null()) continue;
    if (!value->is_boolean()) return invalid_params(must_be(name, "a boolean", value));
    *flag = value->get<bool>();
  }
  const Json* uris = base::find_member(object, "resourceSubscriptions");
  if (uris == nullptr || uris->is_null()) return wants;
  if (!uris->is_array()) {
    return invalid_params(must_be("resourceSubscriptions", "an array of URIs", uris));
  }
  if (uris->size() > base::limits::kSubscriptionsMax) {
    return invalid_params("`resourceSubscriptions` has " + std::to_string(uris->size()) +
                          " members, the limit is " +
                          std::to_string(base::limits::kSubscriptionsMax));
  }
  for (const Json& uri : *uris) {
    if (!uri.is_string()) {
      return invalid_params("a member of " + must_be("resourceSubscriptions", "a URI", &uri));
    }
    const auto& text = uri.get_ref<const std::string&>();
    if (auto error = uri_error(text)) return *error;
    if (std::ranges::find(wants.resource_uris, text) == wants.resource_uris.end()) {
      wants.resource_uris.push_back(text);
    }
  }
  return wants;
}

}  // namespace

Answer Server::State::initialize(const Call& call) {
  const Json* version = call.param("protocolVersion");
  if (version == nullptr || !version->is_string()) {
    return refuse(
        call, invalid_params(must_be("protocolVersion", "a string such as 2025-11-25", version)));
  }
  // The two others are required by the schema, but nothing here depends on them.
  for (const std::string_view name : {"capabilities", "clientInfo"}) {
    const Json* value = call.param(name);
    if (value != nullptr && !value->is_object()) {
      return refuse(call, invalid_params(must_be(name, "an object", value)));
    }
  }
  const Revision revision = negotiated_revision(version->get_ref<const std::string&>());
  const Json* client = call.param("clientInfo");
  const Json* declared = call.param("capabilities");
  ClientCapabilities capabilities;
  if (declared != nullptr) capabilities = read_capabilities(*declared);
  // What a revision does not define cannot be used in it, whatever a client declares.
  if (revision < Revision::v2025_06_18) capabilities.elicitation_form = false;
  if (revision < Revision::v2025_11_25) capabilities.elicitation_url = false;

  Wants wants;
  wants.tools = offer.tools_change;
  wants.prompts = offer.prompts && offer.prompts_change;
  wants.resources = offer.resources && offer.resources_change;
  call.session->negotiated(
      revision, client == nullptr ? "" : base::string_member(*client, "name").value_or(""),
      capabilities, std::move(wants));
  return {encoder.initialized(call.id(), revision), 0};
}

Answer Server::State::ping(const Call& call) {
  return {encoder.empty(call.id()), 0};
}

Answer Server::State::discover(const Call& call) {
  return {encoder.discovered(call.id()), 0};
}

Answer Server::State::set_log_level(const Call& call) {
  const Json* level = call.param("level");
  const auto known = level != nullptr && level->is_string()
                         ? log_level_of(level->get_ref<const std::string&>())
                         : std::nullopt;
  if (!known) {
    return refuse(call, invalid_params(must_be("level", "one of debug … emergency", level)));
  }
  call.session->set_log_level(*known);
  return {encoder.empty(call.id()), 0};
}

Answer Server::State::subscribe(const Call& call) {
  const auto uri = string_param(call, "uri");
  if (const auto* error = std::get_if<RpcError>(&uri)) return refuse(call, *error);
  const auto& text = std::get<std::string>(uri);
  if (const auto error = uri_error(text)) return refuse(call, *error);
  if (!ports.service.can_subscribe(text, call.peer)) {
    return refuse(call, resource_not_found(text, "there is no such resource to subscribe to"));
  }
  if (!call.session->subscribe(text)) {
    return refuse(call,
                  invalid_params("there are " + std::to_string(base::limits::kSubscriptionsMax) +
                                 " subscriptions already, the limit of a session"));
  }
  return {encoder.empty(call.id()), 0};
}

Answer Server::State::unsubscribe(const Call& call) {
  const auto uri = string_param(call, "uri");
  if (const auto* error = std::get_if<RpcError>(&uri)) return refuse(call, *error);
  call.session->unsubscribe(std::get<std::string>(uri));
  return {encoder.empty(call.id()), 0};
}

std::variant<Listening, Answer> Server::State::listen(const Call& call) {
  const Json* notifications = call.param("notifications");
  if (notifications == nullptr || !notifications->is_object()) {
    return refuse(call, invalid_params(must_be("notifications", "an object", notifications)));
  }
  auto read = read_wants(*notifications);
  if (const auto* error = std::get_if<RpcError>(&read)) return refuse(call, *error);
  Wants wants = std::get<Wants>(std::move(read));
  // What is not offered is left out of the acknowledgement; that is how the client learns of it.
  wants.tools = wants.tools && offer.tools_change;
  wants.prompts = wants.prompts && offer.prompts && offer.prompts_change;
  wants.resources = wants.resources && offer.resources && offer.resources_change;
  const bool subscribable = offer.resources && offer.resources_subscribe;
  std::erase_if(wants.resource_uris, [&](const std::string& uri) {
    return !subscribable || !ports.service.can_subscribe(uri, call.peer);
  });
  std::string acknowledged = encoder.acknowledged(call.id(), wants);
  return Listening{std::move(wants), std::string(call.id()), std::move(acknowledged),
                   encoder.listen_ended(call.id())};
}

}  // namespace phasegate::mcp::protocol
