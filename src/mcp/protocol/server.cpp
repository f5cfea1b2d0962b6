#include "mcp/protocol/server.h"

#include <array>
#include <exception>
#include <vector>

#include "base/json.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/text.h"
#include "mcp/protocol/server_state.h"

namespace phasegate::mcp::protocol {
namespace {

bool always(const Offer&) {
  return true;
}
bool with_resources(const Offer& offer) {
  return offer.resources;
}
bool with_subscribe(const Offer& offer) {
  return offer.resources && offer.resources_subscribe;
}
bool with_prompts(const Offer& offer) {
  return offer.prompts;
}
bool with_completions(const Offer& offer) {
  return offer.completions;
}
bool with_logging(const Offer& offer) {
  return offer.logging;
}

/// What is told about a method that exists in the protocol but not here.
std::string_view undeclared_capability(std::string_view method) {
  struct Family {
    std::string_view prefix;
    std::string_view capability;
  };
  static constexpr std::array<Family, 5> kFamilies{{{"resources/", "resources"},
                                                    {"prompts/", "prompts"},
                                                    {"completion/", "completions"},
                                                    {"logging/", "logging"},
                                                    {"tasks/", "tasks"}}};
  for (const Family& family : kFamilies) {
    if (method.starts_with(family.prefix)) return family.capability;
  }
  return "";
}

/// Why a request may not be part of a batch; empty if it may.
std::string not_in_a_batch(const Message& request) {
  // MCP 2025-03-26 §Initialization.
  if (request.method == "initialize") return "`initialize` may not be part of a batch";
  if (read_envelope(request.params).modern) {
    return "a request with the metadata of 2026-07-28 may not be part of a batch: send it alone";
  }
  return "";
}

}  // namespace

std::span<const Server::State::Method> Server::State::methods(bool modern) {
  // The most frequent ones first.
  static constexpr std::array<Method, 9> kModern{{
      {"tools/call", &State::call_tool, always},
      {"tools/list", &State::list_tools, always},
      {"server/discover", &State::discover, always},
      {"resources/read", &State::read_resource, with_resources},
      {"resources/list", &State::list_resources, with_resources},
      {"resources/templates/list", &State::list_resource_templates, with_resources},
      {"prompts/list", &State::list_prompts, with_prompts},
      {"prompts/get", &State::get_prompt, with_prompts},
      {"completion/complete", &State::complete, with_completions},
  }};
  static constexpr std::array<Method, 13> kLegacy{{
      {"tools/call", &State::call_tool, always},
      {"tools/list", &State::list_tools, always},
      {"initialize", &State::initialize, always},
      {"ping", &State::ping, always},
      {"resources/read", &State::read_resource, with_resources},
      {"resources/list", &State::list_resources, with_resources},
      {"resources/templates/list", &State::list_resource_templates, with_resources},
      {"resources/subscribe", &State::subscribe, with_subscribe},
      {"resources/unsubscribe", &State::unsubscribe, with_subscribe},
      {"prompts/list", &State::list_prompts, with_prompts},
      {"prompts/get", &State::get_prompt, with_prompts},
      {"completion/complete", &State::complete, with_completions},
      {"logging/setLevel", &State::set_log_level, with_logging},
  }};
  if (modern) return kModern;
  return kLegacy;
}

Answer Server::State::method_not_found(const Call& call) const {
  const std::string& method = call.message.method;
  std::string text = "method " + shown_name(method) + " is not offered";
  bool removed = false;
  std::vector<std::string> names;
  for (const Method& known : methods(call.modern())) names.emplace_back(known.name);
  if (call.modern()) {
    for (const Method& known : methods(false)) removed = removed || known.name == method;
    for (const std::string& name : names) removed = removed && name != method;
  }
  if (removed) {
    text += ": " + std::string(revision_name(call.revision)) + " removed it";
  } else if (const auto capability = undeclared_capability(method); !capability.empty()) {
    text += ": the capability `" + std::string(capability) + "` is not declared";
  } else if (method == "server/discover" || method == "subscriptions/listen") {
    text +=
        " without `_meta`: it needs \"io.modelcontextprotocol/protocolVersion\" and "
        "\"io.modelcontextprotocol/clientCapabilities\" there";
  } else if (const auto nearest = base::nearest_name(method, names)) {
    text += ": did you mean " + base::in_quotes(*nearest) + "?";
  }
  return refuse(call, {error_code::kMethodNotFound, std::move(text), ""});
}

Answer Server::State::failed(const Message& message, std::string_view problem) const {
  base::log_error("request.failed", {{"method", base::shortened(message.method, 64)},
                                     {"problem", std::string(problem)}});
  const RpcError error{error_code::kInternalError,
                       "internal error; the server's log on standard error has the details", ""};
  return {encoder.error(message.id, error), error.code};
}

Answer Server::State::dispatch(const Call& call) {
  try {
    for (const Method& method : methods(call.modern())) {
      if (method.name != call.message.method) continue;
      if (!method.offered(offer)) break;
      return (this->*method.handler)(call);
    }
    return method_not_found(call);
  } catch (const std::exception& problem) {
    return failed(call.message, problem.what());
  }
}

std::shared_ptr<const ToolCatalog> Server::State::catalog() {
  auto tools = ports.service.tools();
  {
    const std::lock_guard lock(mutex_);
    if (catalog_ != nullptr && catalog_->is_of(tools)) return catalog_;
  }
  auto fresh = std::make_shared<const ToolCatalog>(std::move(tools));
  const std::lock_guard lock(mutex_);
  return catalog_ = std::move(fresh);
}

Server::Server(ServerInfo info, Ports ports)
    : state_(std::make_unique<State>(std::move(info), ports)) {}

Server::~Server() = default;

namespace {

bool may_be_asked(const ClientCapabilities& capabilities) {
  return capabilities.elicitation_form || capabilities.elicitation_url;
}

}  // namespace

bool Server::waits(const Message& request, const LegacySession* legacy) const {
  if (request.kind != Message::Kind::request || request.params == nullptr) return false;
  const auto name = base::string_member(*request.params, "name");
  if (!name) return false;
  if (request.method == "tools/call") {
    const auto catalog = state_->catalog();
    const ToolDefinition* tool = catalog->find(*name);
    if (tool == nullptr || tool->waits) return tool != nullptr;
    const base::Json* arguments = base::find_member(*request.params, "arguments");
    if (arguments == nullptr) return false;
    Service& service = state_->ports.service;
    return service.call_waits(*name, *arguments) ||
           (legacy != nullptr && may_be_asked(legacy->peer().capabilities) &&
            service.call_asks(*name, *arguments));
  }
  return request.method == "prompts/get" && state_->offer.prompts &&
         state_->ports.service.prompt_waits(*name);
}

Answer Server::modern(const Message& request, const Envelope& envelope, std::string_view principal,
                      Exchange& exchange) {
  return state_->dispatch(
      {request, Revision::v2026_07_28,
       Peer{std::string(principal), envelope.client_name, envelope.capabilities}, envelope.wishes,
       nullptr, exchange});
}

Answer Server::legacy(const Message& request, LegacySession& session, Exchange& exchange) {
  Envelope envelope = read_envelope(request.params);
  if (envelope.malformed) return refused(request, *envelope.malformed);
  CallContext::Wishes wishes = std::move(envelope.wishes);
  // Without a level the server may choose.
  if (state_->offer.logging) wishes.log_level = session.log_level().value_or(LogLevel::info);
  // Without a handshake a client gets what the oldest revision with HTTP would get (MCP 2025-06-18
  // §Protocol version header): nothing that it might not know.
  return state_->dispatch({request, session.revision().value_or(Revision::v2025_03_26),
                           session.peer(), std::move(wishes), &session, exchange});
}

std::optional<Answer> Server::legacy_batch(const Message& batch, LegacySession& session,
                                           Exchange& exchange) {
  const auto refuse = [&](std::string text) {
    return refused(batch, {error_code::kInvalidRequest, std::move(text), ""});
  };
  if (session.revision() != Revision::v2025_03_26) {
    return refuse("batches exist only in revision 2025-03-26: send one message at a time");
  }
  const std::size_t size = batch_size(batch);
  if (size == 0) return refuse("the batch is empty");
  if (size > base::limits::kMessagesQueuedMax) {
    return refuse("the batch has " + std::to_string(size) + " messages, the limit is " +
                  std::to_string(base::limits::kMessagesQueuedMax));
  }
  std::string answers;
  for (std::size_t i = 0; i < size; ++i) {
    const Message message = batch_element(batch, i);
    const bool given_up = exchange.cancelled();
    Answer one;
    switch (message.kind) {
      case Message::Kind::notification:
        continue;
      case Message::Kind::response:
        session.responded(message);
        continue;
      case Message::Kind::batch:
      case Message::Kind::broken:
        one = refused(message, message.error.value_or(RpcError{}));
        break;
      case Message::Kind::request:
        if (given_up) {
          one = refused(message, {error_code::kInternalError, "given up before its turn", ""});
        } else if (const auto text = not_in_a_batch(message); !text.empty()) {
          one = refused(message, {error_code::kInvalidRequest, text, ""});
        } else {
          one = legacy(message, session, exchange);
        }
        break;
    }
    answers.append(answers.empty() ? "[" : ",").append(one.line);
  }
  if (answers.empty()) return std::nullopt;
  return Answer{answers + "]", 0};
}

std::variant<Listening, Answer> Server::listen(const Message& request, const Envelope& envelope,
                                               std::string_view principal) {
  NoExchange nowhere;
  const Call call{request,
                  Revision::v2026_07_28,
                  Peer{std::string(principal), envelope.client_name, envelope.capabilities},
                  envelope.wishes,
                  nullptr,
                  nowhere};
  try {
    return state_->listen(call);
  } catch (const std::exception& problem) {
    return state_->failed(request, problem.what());
  }
}

Answer Server::refused(const Message& message, const RpcError& error) const {
  return {state_->encoder.error(message.id, error), error.code};
}

std::vector<HeaderParameter> Server::header_parameters(std::string_view tool) const {
  return state_->catalog()->header_parameters(tool);
}

Subscriptions& Server::subscriptions() {
  return state_->ports.subscriptions;
}

}  // namespace phasegate::mcp::protocol
