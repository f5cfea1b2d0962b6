#include "phases/decision.h"

#include <algorithm>
#include <string>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/transition_parts.h"

namespace phasegate::gating {

using base::Json;
using base::TimePoint;
using phases::DecisionDemand;
using phases::DecisionEffect;
using phases::DecisionInput;
using phases::DecisionOption;

namespace {

constexpr std::string_view kClient = "client";

Refusal refuse_closed(const RunState& run, const Decide& command) {
  std::string reason = "Phase " + run.current_phase + " waits for another decision";
  if (!run.decision) reason = "No decision is open in Phase " + run.current_phase;
  return refusal_of(RefusalKind::decision_closed,
                    "Decision " + base::in_quotes(base::shortened(command.decision, 64)) +
                        " is not open (any more)",
                    std::move(reason), "Look again at what the session waits for");
}

std::string offered(const DecisionDemand& demand) {
  std::vector<std::string> ids;
  for (const DecisionOption& option : demand.options) ids.push_back(option.id);
  return base::joined(ids, ", ");
}

/// Why this choice cannot be made, whoever makes it.
std::optional<Refusal> refuse_choice(const DecisionDemand& demand, const Decide& command) {
  constexpr RefusalKind kKind = RefusalKind::invalid_decision;
  const DecisionOption* option = demand.find_option(command.option);
  if (option == nullptr) {
    return refusal_of(kKind,
                      base::in_quotes(base::shortened(command.option, 64)) +
                          " is not among the options of this decision",
                      "It offers: " + offered(demand), "Choose one of them");
  }
  const bool blank = base::trimmed(command.input).empty();
  if (option->input == DecisionInput::required && blank) {
    return refusal_of(kKind, "The option " + base::in_quotes(option->id) + " asks for an input",
                      "It was left empty", "Say what the option asks for");
  }
  if (option->input == DecisionInput::none && !blank) {
    return refusal_of(kKind, "The option " + base::in_quotes(option->id) + " takes no input",
                      "An input was given", "Leave it out, or choose another option");
  }
  if (command.input.size() > base::limits::kDecisionInputBytesMax) {
    return refusal_of(kKind, "The input is too long",
                      std::to_string(command.input.size()) + " bytes; at most " +
                          std::to_string(base::limits::kDecisionInputBytesMax) + " are taken",
                      "Say it in fewer words, or name a file of the project");
  }
  return std::nullopt;
}

/// Why this person, or this channel, cannot make it.
std::optional<Refusal> refuse_person(const DecisionDemand& demand, const RunState& run,
                                     const Decide& command, bool forward) {
  constexpr RefusalKind kKind = RefusalKind::not_authorised;
  const OpenDecision& decision = *run.decision;
  if (command.approver.empty()) {
    // Whoever paused it gave a secret; what proves nothing does not go on instead.
    if (run.paused) {
      return refusal_of(RefusalKind::paused, "A person has paused the session",
                        "Only an approver decides meanwhile",
                        "Stop here; a person goes on with it");
    }
    if (phases::client_may_decide(demand) && command.channel == kClient) return std::nullopt;
    return refusal_of(kKind, "The decision is an approver's", "No approver's secret was given",
                      "An approver decides with: phasegate decide");
  }
  if (!demand.role.empty() &&
      std::find(command.roles.begin(), command.roles.end(), demand.role) == command.roles.end()) {
    return refusal_of(kKind,
                      "Approver " + base::in_quotes(command.approver) + " does not have the role " +
                          base::in_quotes(demand.role),
                      "The workflow asks for it",
                      "Ask somebody who has it; phasegate approvers list shows who does");
  }
  if (demand.not_submitter && command.approver == decision.submission.actor) {
    return refusal_of(kKind,
                      "Approver " + base::in_quotes(command.approver) +
                          " has handed the evidence over, and may not decide about it",
                      "The workflow asks for somebody else", "Ask another approver");
  }
  const bool again = std::any_of(
      decision.answers.begin(), decision.answers.end(),
      [&](const DecisionAnswer& answer) { return answer.approver == command.approver; });
  // One who has approved may still change their mind and send it back.
  if (again && forward) {
    return refusal_of(kKind,
                      "Approver " + base::in_quotes(command.approver) + " has decided already",
                      "The workflow asks for " + std::to_string(demand.count) + " approvers",
                      "Ask another approver");
  }
  return std::nullopt;
}

std::string decider(const DecisionAnswer& answer) {
  return answer.approver.empty() ? std::string(kClient) : "approver:" + answer.approver;
}

/// Where a choice leads, seen from the phase that is to be left.
struct Way {
  bool forward = false;
  std::string back_to;  ///< set for rework
};

Way way_of(const Definition& definition, const RunState& run, const DecisionOption& option) {
  Way way;
  if (option.effect == DecisionEffect::go_to) {
    const auto here = definition.workflow.phase_index(run.current_phase);
    const auto there = definition.workflow.phase_index(option.phase);
    // Unknown phases are found when a workflow is read; a stored one that has them stays shut.
    way.forward = here && there && *there > *here;
    if (!way.forward && there) way.back_to = option.phase;
    return way;
  }
  way.forward =
      option.effect == DecisionEffect::proceed || option.effect == DecisionEffect::completed;
  return way;
}

Json answer_json(const Decide& command, const DecisionOption& option) {
  Json data = {{"decision", command.decision},
               {"option", option.id},
               {"label", option.label},
               {"input", command.input},
               {"channel", command.channel},
               {"assurance", command.approver.empty() ? "unauthenticated" : "secret"},
               {"shown_digest", command.shown_digest}};
  if (!command.approver.empty()) {
    data["approver"] = command.approver;
    data["fingerprint"] = command.fingerprint;
  }
  return data;
}

/// Enough people have chosen the same way forward: the phase is accepted with what was kept.
Transition open_gate(const Definition& definition, RunState next, const Decide& command,
                     const DecisionOption& option, const std::vector<DecisionAnswer>& chosen,
                     TimePoint now) {
  const OpenDecision decision = *next.decision;
  const std::size_t index = *definition.workflow.phase_index(next.current_phase);
  const phases::Phase& phase = definition.workflow.phases[index];
  const auto parsed =
      base::parse_json(decision.submission.evidence,
                       {base::limits::kEvidenceBytesMax * 2, base::limits::kDocumentDepthMax});
  Json evidence = parsed ? *parsed : Json::object();
  Pending kept = decision.submission;
  if (phase.by_person) {
    evidence = {{"decision", option.id}, {"label", option.label}, {"input", command.input}};
    kept.evidence = base::dump(evidence);
    kept.evidence_digest = base::sha256_hex(base::dump_canonical(evidence));
  }
  const SubmitEvidence submit = submission_of(next, kept, evidence);
  Decided decided;
  for (const DecisionAnswer& answer : chosen) {
    decided.deciders.push_back(decider(answer));
    if (!answer.approver.empty()) ++decided.authenticated;
  }
  decided.end = option.effect == DecisionEffect::completed;
  if (option.effect == DecisionEffect::go_to) decided.goto_phase = option.phase;
  EvidenceVerdict verdict;
  if (!phase.by_person) {
    verdict = definition.gates[index].judge_kept(evidence);
    verdict.aliases_taken = kept.aliases_taken;
  }
  return accept(definition, std::move(next),
                {submit, std::move(verdict), decision.lenient, decision.checks, decision.files,
                 command.entered, command.decision_id},
                decided, now);
}

Transition end_run(RunState next, const Decide& command, const DecisionOption& option,
                   const std::string& by, TimePoint now) {
  const bool rejected = option.effect == DecisionEffect::rejected;
  next.status = rejected ? RunStatus::rejected : RunStatus::cancelled;
  next.waiting = {};
  next.decision.reset();
  next.paused.reset();
  next.end_reason = (rejected ? "Rejected by " : "Cancelled by ") + by;
  if (!base::trimmed(command.input).empty()) next.end_reason += ": " + command.input;
  Transition out;
  out.journal.push_back(entry(rejected ? "run_rejected" : "run_cancelled", next, by, now,
                              {{"reason", next.end_reason}, {"decision", command.decision}}));
  out.effects.push_back(
      notify(next, rejected ? "run_rejected" : "run_cancelled", Json::object(), now));
  out.reply.kind = rejected ? Reply::Kind::rejected : Reply::Kind::cancelled;
  out.reply.phase = next.current_phase;
  out.next = std::move(next);
  return out;
}

}  // namespace

void ask_people(const Definition& definition, RunState& next, Transition& out,
                OpenDecision decision, TimePoint now) {
  const phases::Phase& phase = *definition.workflow.find_phase(next.current_phase);
  const auto demand = phases::decision_demand(phase);
  decision.opened_at = now;
  Json data = {{"decision", decision.id}, {"prompt", demand->prompt}};
  if (!phase.by_person) data["evidence_digest"] = decision.submission.evidence_digest;
  out.journal.push_back(entry("decision_opened", next, std::string(kEngine), now, data));
  out.effects.push_back(notify(next, "decision_opened",
                               {{"decision", decision.id}, {"prompt", demand->prompt}}, now));
  next.decision = std::move(decision);
  settle_waiting(definition, next);
}

Transition await_decision(const Definition& definition, RunState next, Passed passed,
                          TimePoint now) {
  const SubmitEvidence& submit = passed.submit;
  Transition out;
  Json data = submission_json(submit, passed.verdict);
  add_checks(data, passed.checks);
  out.journal.push_back(entry("evidence_kept", next, submit.actor, now, data));
  OpenDecision decision;
  decision.id = passed.decision_id;
  decision.submission = Pending{next.attempts,        submit.evidence_text, submit.evidence_digest,
                                submit.aliases_taken, submit.actor,         now};
  decision.lenient = passed.lenient;
  decision.checks = passed.checks;
  decision.files = std::move(passed.files);
  next.verified.reset();
  ask_people(definition, next, out, std::move(decision), now);
  out.reply.kind = Reply::Kind::waiting;
  out.reply.phase = submit.phase;
  out.reply.verdict = std::move(passed.verdict);
  out.reply.checks = std::move(passed.checks);
  out.next = std::move(next);
  return out;
}

Transition answer_decision(const Definition& definition, const RunState& run, const Decide& command,
                           TimePoint now) {
  if (!is_open(run.status)) return refused(run.current_phase, refuse_ended(run));
  if (!run.decision || run.decision->id != command.decision) {
    return refused(run.current_phase, refuse_closed(run, command));
  }
  if (auto stale = refuse_stale(run, command.version)) return refused(run.current_phase, *stale);
  const phases::Phase* phase = definition.workflow.find_phase(run.current_phase);
  const auto demand = phase == nullptr ? std::nullopt : phases::decision_demand(*phase);
  if (!demand) return refused(run.current_phase, refuse_closed(run, command));
  if (auto refusal = refuse_choice(*demand, command)) return refused(run.current_phase, *refusal);
  const DecisionOption& option = *demand->find_option(command.option);
  const Way way = way_of(definition, run, option);
  if (auto refusal = refuse_person(*demand, run, command, way.forward)) {
    return refused(run.current_phase, *refusal);
  }

  RunState next = run;
  ++next.version;
  next.updated_at = now;
  const DecisionAnswer answer{option.id,
                              command.input,
                              command.approver,
                              command.fingerprint,
                              command.channel,
                              command.shown_digest,
                              now};
  const std::string by = decider(answer);
  JournalEntry line = entry("decision_answered", next, by, now, answer_json(command, option));
  Effect told = notify(next, "decision_decided",
                       {{"decision", command.decision}, {"option", option.id}, {"by", by}}, now);

  Transition out;
  if (way.forward) {
    next.decision->answers.push_back(answer);
    std::vector<DecisionAnswer> chosen;
    for (const DecisionAnswer& one : next.decision->answers) {
      if (one.option == option.id) chosen.push_back(one);
    }
    if (chosen.size() < static_cast<std::size_t>(demand->count)) {
      settle_waiting(definition, next);
      out.reply.kind = Reply::Kind::waiting;
      out.reply.phase = run.current_phase;
      out.next = std::move(next);
    } else {
      out = open_gate(definition, std::move(next), command, option, chosen, now);
    }
  } else if (!way.back_to.empty()) {
    const Feedback feedback{run.current_phase, option.label, command.input, by, now};
    out = go_back(definition, std::move(next),
                  {way.back_to, feedback, command.entered, command.decision_id}, now);
  } else {
    out = end_run(std::move(next), command, option, by, now);
  }
  if (!out.next) return out;  // a way back that is none
  out.journal.insert(out.journal.begin(), std::move(line));
  out.effects.insert(out.effects.begin(), std::move(told));
  return out;
}

}  // namespace phasegate::gating
