#include "mcp/protocol/rounds.h"

#include <chrono>
#include <memory>
#include <vector>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"

namespace phasegate::mcp::protocol {
namespace {

using base::Json;

std::shared_ptr<const Json> no_responses() {
  static const auto kNone = std::make_shared<const Json>(Json::object());
  return kNone;
}

/// What must be the same in a retry: the method and every param but those that the protocol adds.
std::string digest_of(const Message& message) {
  Json params = message.params == nullptr ? Json::object() : *message.params;
  for (const char* name : {"_meta", "inputResponses", "requestState"}) params.erase(name);
  return base::Digest().add(message.method).add(base::dump_canonical(params)).hex();
}

RpcError bad_state() {
  return {error_code::kInvalidParams,
          "invalid or expired `requestState`: begin the call anew, without it",
          R"({"reason":"invalid_request_state"})"};
}

RpcError cannot_ask(const base::Error& error) {
  return {error_code::kInternalError,
          "the question cannot be asked, and nothing was done: " + base::to_text(error), ""};
}

RpcError missing_capability(const std::string& required, bool modern) {
  if (modern) {
    return {error_code::kMissingClientCapability,
            "this needs a capability that the client did not declare",
            R"({"requiredCapabilities":)" + required + "}"};
  }
  return invalid_params("this needs capabilities that the client did not declare: " + required);
}

/// An elicitation that came to nothing is never a yes.
std::shared_ptr<const Json> cancelled_elicitation() {
  return std::make_shared<const Json>(Json{{"action", "cancel"}});
}

/// Asks a legacy client for everything that is required and collects what it answers.
std::variant<std::shared_ptr<const Json>, RpcError> ask_all(
    const Call& call, const std::vector<InputRequest>& requests,
    std::chrono::steady_clock::time_point deadline) {
  std::vector<LegacySession::Ask> asks;
  for (const InputRequest& asked : requests) {
    if (asked.kind == InputRequest::Kind::elicitation_url && asked.params != nullptr) {
      // Revision 2025-11-25 numbers them, no other does.
      Json numbered = *asked.params;
      numbered["elicitationId"] = base::sha256_hex(base::dump(numbered));
      asks.push_back(call.session->begin_ask(method_of(asked.kind), &numbered));
      continue;
    }
    asks.push_back(call.session->begin_ask(method_of(asked.kind), asked.params.get()));
  }
  // All are sent before any is waited for; what cannot be sent is not waited for either.
  bool reachable = true;
  for (const LegacySession::Ask& ask : asks) reachable = reachable && call.exchange.send(ask.line);
  if (!reachable) deadline = std::chrono::steady_clock::time_point::min();

  auto responses = std::make_shared<Json>(Json::object());
  std::optional<RpcError> failed;
  for (std::size_t i = 0; i < asks.size(); ++i) {
    const auto answered = call.session->await(asks[i], deadline, call.exchange);
    const InputRequest& asked = requests[i];
    if (answered != nullptr) {
      (*responses)[asked.key] = *answered;
    } else if (method_of(asked.kind) == "elicitation/create") {
      (*responses)[asked.key] = *cancelled_elicitation();
    } else {
      failed = RpcError{error_code::kInternalError,
                        "the client did not answer " + std::string(method_of(asked.kind)), ""};
    }
  }
  if (failed) return *failed;
  return std::shared_ptr<const Json>(std::move(responses));
}

}  // namespace

Answer Rounds::refused(const Call& call, const RpcError& error) const {
  RpcError told = error;
  // The code of a resource that is not there is all that the eras do not share.
  if (call.modern() && told.code == error_code::kResourceNotFound) {
    told.code = error_code::kInvalidParams;
  }
  return {encoder_.error(call.id(), told), told.code};
}

Answer Rounds::run(const Call& call, const Step& step) const {
  return call.modern() ? modern(call, step) : legacy(call, step);
}

std::variant<Round, RpcError> Rounds::retried(const Call& call) const {
  Round round;
  round.responses = no_responses();
  if (const Json* responses = call.param("inputResponses")) {
    if (!responses->is_object()) {
      return invalid_params(must_be("inputResponses", "an object", responses));
    }
    for (const auto& [key, response] : responses->items()) {
      if (!response.is_object()) {
        return invalid_params("a member of " + must_be("inputResponses", "an object", &response));
      }
    }
    round.responses = std::shared_ptr<const Json>(call.message.document, responses);
  }
  const Json* sealed = call.param("requestState");
  if (sealed == nullptr) return round;
  if (!sealed->is_string()) return invalid_params(must_be("requestState", "a string", sealed));
  auto state = seal_.open(sealed->get_ref<const std::string&>());
  if (!state || state->principal != call.peer.principal || state->expires_at_ms < clock_.now().ms ||
      state->request != digest_of(call.message)) {
    return bad_state();
  }
  round.state = std::move(state->state);
  round.once = std::move(state->once);
  round.once_until_ms = state->expires_at_ms;
  return round;
}

Answer Rounds::modern(const Call& call, const Step& step) const {
  auto round = retried(call);
  if (const auto* error = std::get_if<RpcError>(&round)) return refused(call, *error);
  CallContext context(call.peer, std::get<Round>(round), call.wishes, call.exchange);
  auto outcome = step(context);
  if (auto* line = std::get_if<std::string>(&outcome)) return {std::move(*line), 0};
  if (const auto* error = std::get_if<RpcError>(&outcome)) return refused(call, *error);

  const auto& required = std::get<InputRequired>(outcome);
  if (const auto missing = required_capabilities(required.requests, call.peer.capabilities);
      !missing.empty()) {
    return refused(call, missing_capability(missing, true));
  }
  std::string sealed;
  if (!required.state.empty()) {
    auto state = seal_.seal({call.peer.principal, digest_of(call.message), ids_.new_id(),
                             clock_.now().ms + base::limits::kRequestStateMs, required.state});
    if (!state) return refused(call, cannot_ask(state.error()));
    sealed = *std::move(state);
  }
  return {encoder_.input_required(call.id(), required, sealed), 0};
}

Answer Rounds::legacy(const Call& call, const Step& step) const {
  constexpr int kRoundsMax = 10;
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(base::limits::kInputWaitMs);
  Round round;
  round.responses = no_responses();
  for (int i = 0; i < kRoundsMax; ++i) {
    CallContext context(call.peer, round, call.wishes, call.exchange);
    auto outcome = step(context);
    if (auto* line = std::get_if<std::string>(&outcome)) return {std::move(*line), 0};
    if (const auto* error = std::get_if<RpcError>(&outcome)) return refused(call, *error);

    auto& required = std::get<InputRequired>(outcome);
    if (const auto missing = required_capabilities(required.requests, call.peer.capabilities);
        !missing.empty()) {
      return refused(call, missing_capability(missing, false));
    }
    auto responses = ask_all(call, required.requests, deadline);
    if (const auto* error = std::get_if<RpcError>(&responses)) return refused(call, *error);
    round = Round{};
    round.responses = std::get<std::shared_ptr<const Json>>(std::move(responses));
    if (!required.state.empty()) {
      round.state = std::move(required.state);
      round.once = ids_.new_id();
      round.once_until_ms = clock_.now().ms + base::limits::kRequestStateMs;
    }
  }
  return refused(call,
                 {error_code::kInternalError,
                  "still not answered after " + std::to_string(kRoundsMax) + " questions", ""});
}

}  // namespace phasegate::mcp::protocol
