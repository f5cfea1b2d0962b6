#include <algorithm>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/decision_show.h"
#include "gating/engine/check_scope.h"
#include "gating/engine/engine_state.h"
#include "gating/expression.h"

namespace phasegate::gating::engine {

using base::Error;
using base::Json;
using base::Result;

namespace {

Json evidence_of(const OpenDecision& decision) {
  const auto parsed =
      base::parse_json(decision.submission.evidence,
                       {2 * base::limits::kEvidenceBytesMax, base::limits::kMessageDepthMax});
  return parsed && parsed->is_object() ? *parsed : Json::object();
}

std::vector<ShownValue> values_to_show(const phases::DecisionDemand& demand, const Json& evidence,
                                       const Json& scope) {
  std::vector<ShownValue> shown;
  if (demand.show.empty()) {
    for (const auto& [name, value] : evidence.items()) {
      shown.push_back({name, base::dump(value), ""});
    }
    return shown;
  }
  for (const std::string& text : demand.show) {
    ShownValue one;
    one.name = text;
    const auto expression = Expression::parse(text);
    const auto value = expression ? expression->evaluate(scope) : Result<Json>(expression.error());
    if (value) {
      one.value = base::dump(*value);
    } else {
      one.problem = value.error().message;
    }
    shown.push_back(std::move(one));
  }
  return shown;
}

std::string digest_of(const DecisionView& view) {
  base::Digest digest;
  digest.add(view.decision.id).add(std::to_string(view.decision.answers.size()));
  digest.add(view.demand.prompt);
  for (const phases::DecisionOption& option : view.demand.options) {
    digest.add(option.id).add(option.label);
  }
  for (const ShownValue& value : view.shown) {
    digest.add(value.name).add(value.value).add(value.problem);
  }
  for (const CheckResult& result : view.decision.checks) digest.add(base::dump(to_json(result)));
  for (const std::string& file : view.changed_files) digest.add(file);
  return digest.hex();
}

Error no_decision(const RunView& view) {
  const RunState& run = view.run;
  std::string what = "it is with the assistant, in phase " + run.current_phase;
  if (!is_open(run.status)) {
    what = "it has ended: " + std::string(to_text(run.status));
  } else if (run.pending) {
    what = "its checks are being carried out";
  } else if (!run.waiting.reason.empty()) {
    what = run.waiting.reason;
  }
  return {"no_decision", "The session waits for no decision: " + what,
          "phasegate inbox lists what waits for one", ""};
}

/// The phase that an option leads to; empty: the run ends there.
std::string way_to(const DecisionView& view, const phases::DecisionOption& option) {
  if (option.effect == phases::DecisionEffect::go_to) return option.phase;
  if (option.effect != phases::DecisionEffect::proceed) return "";
  const auto& phases = view.view.workflow().phases;
  const std::size_t next = view.view.phase_index() + 1;
  return next < phases.size() ? phases[next].id : "";
}

Error as_error(const Refusal& refusal) {
  return {std::string(to_text(refusal.kind)), refusal.message + ". " + refusal.reason + ".",
          refusal.required_action, ""};
}

}  // namespace

Transition Engine::State::decided(const Definition& definition, const RunState& run,
                                  const Command& command, base::TimePoint now) const {
  return addressed(transition(definition, run, command, now));
}

std::string Engine::State::decision_id_for(const phases::Workflow& workflow) {
  const bool asks =
      std::any_of(workflow.phases.begin(), workflow.phases.end(), phases::asks_a_person);
  return asks ? ports.ids.new_id() : "";
}

std::optional<std::size_t> Engine::State::approvers_enrolled() {
  if (ports.approvers == nullptr) return 0;
  const auto enrolled = ports.approvers->list();
  return enrolled ? std::optional(enrolled->size()) : std::nullopt;
}

Result<DecisionView> Engine::decision_view(std::string_view run_id) {
  DecisionView shown;
  {
    const auto reading = state_->ports.store.begin_reading();
    auto view = state_->load(run_id);
    if (!view) return view.error();
    shown.view = std::move(view).value();
    if (!is_open(shown.view.run.status) || !shown.view.run.decision) {
      return no_decision(shown.view);
    }
    shown.phase = &shown.view.phase();
    const auto demand = phases::decision_demand(*shown.phase);
    if (!demand) return no_decision(shown.view);
    shown.demand = *demand;
    shown.decision = *shown.view.run.decision;
    const Json evidence = evidence_of(shown.decision);
    Json scope =
        check_scope(shown.view.run, evidence, state_->ports.store.artifacts(shown.view.run.id));
    for (const CheckResult& result : shown.decision.checks) add_result(scope, result);
    add_fields_by_name(scope, shown.view.workflow(), *shown.phase);
    shown.shown = values_to_show(shown.demand, evidence, scope);
    if (!shown.view.run.started.empty()) {
      shown.started = state_->ports.store.blob(shown.view.run.started).value_or("");
    }
  }
  if (state_->ports.world != nullptr) {
    for (const FileDigest& file : shown.decision.files) {
      if (state_->ports.world->digests({file.path}) != std::vector<FileDigest>{file}) {
        shown.changed_files.push_back(file.path);
      }
    }
  }
  shown.digest = digest_of(shown);
  return shown;
}

Result<DecisionView> Engine::find_decision(std::string_view decision) {
  const Error unknown{"unknown_decision", "No decision is open under this id.",
                      "phasegate inbox lists what waits for one", ""};
  const auto run = state_->ports.store.find_decision(decision);
  if (!run) return unknown;
  auto view = decision_view(*run);
  if (!view && view.error().code != "no_decision") return view.error();
  if (!view || view->decision.id != decision) return unknown;
  return view;
}

Result<DecideReply> Engine::decide(const DecideRequest& request) {
  auto shown = decision_view(request.run_id);
  if (!shown) return shown.error();
  Decide command;
  command.decision = request.decision;
  command.option = request.option;
  command.input = request.input;
  command.channel = request.channel;
  command.shown_digest = shown->digest;
  command.version = shown->view.run.version;
  if (request.approver) {
    command.approver = request.approver->name;
    command.fingerprint = request.approver->fingerprint;
    command.roles = request.approver->roles;
  }
  if (request.decision == shown->decision.id && request.shown_digest != shown->digest) {
    return Error{"stale_decision", "Something has changed since it was shown; nothing was decided.",
                 "Look at it again: phasegate decide " + request.run_id, ""};
  }
  if (const auto* option = shown->demand.find_option(request.option)) {
    command.entered =
        state_->entry_into(shown->view, way_to(*shown, *option),
                           check_scope(shown->view.run, Json::object(),
                                       state_->ports.store.artifacts(request.run_id)));
  }
  command.decision_id = state_->decision_id_for(shown->view.workflow());
  const base::TimePoint now = state_->ports.clock.now();
  auto done = state_->ports.store.transact(request.run_id, [&](const RunState& run) {
    return state_->decided(*shown->view.definition, run, command, now);
  });
  if (!done) return unknown_session(request.run_id);
  if (done->reply.refusal) return as_error(*done->reply.refusal);
  DecideReply reply{std::move(done->reply), std::move(shown->view)};
  reply.view.run = std::move(*done->next);
  return reply;
}

Result<DecideReply> Engine::reopen(const ReopenRequest& request) {
  auto view = state_->load(request.run_id);
  if (!view) return view.error();
  Reopen command;
  command.phase = request.phase;
  command.reason = request.reason;
  command.approver = request.approver.name;
  command.fingerprint = request.approver.fingerprint;
  command.channel = request.channel;
  command.version = request.version;
  command.entered = state_->entry_into(
      *view, request.phase,
      check_scope(view->run, Json::object(), state_->ports.store.artifacts(request.run_id)));
  command.decision_id = state_->decision_id_for(view->workflow());
  const base::TimePoint now = state_->ports.clock.now();
  auto done = state_->ports.store.transact(request.run_id, [&](const RunState& run) {
    return state_->decided(*view->definition, run, command, now);
  });
  if (!done) return unknown_session(request.run_id);
  if (done->reply.refusal) return as_error(*done->reply.refusal);
  DecideReply reply{std::move(done->reply), std::move(view).value()};
  reply.view.run = std::move(*done->next);
  return reply;
}

Result<RunView> Engine::pause(const PauseRequest& request) {
  auto view = state_->load(request.run_id);
  if (!view) return view.error();
  const PauseRun command{request.pause,
                         base::shortened(request.reason, base::limits::kReasonBytesMax),
                         request.actor, std::nullopt};
  const base::TimePoint now = state_->ports.clock.now();
  auto done = state_->ports.store.transact(request.run_id, [&](const RunState& run) {
    return state_->decided(*view->definition, run, command, now);
  });
  if (!done) return unknown_session(request.run_id);
  if (done->reply.refusal) return as_error(*done->reply.refusal);
  if (done->reply.kind == Reply::Kind::unchanged) {
    return Error{request.pause ? "already_paused" : "not_paused",
                 request.pause ? "The session is paused already, or waits for something else."
                               : "The session is not paused.",
                 "", ""};
  }
  view->run = std::move(*done->next);
  return view;
}

}  // namespace phasegate::gating::engine
