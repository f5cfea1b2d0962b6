#include <algorithm>

#include "base/hash.h"
#include "base/json.h"
#include "gating/secrets.h"
#include "gating/transition_parts.h"

namespace phasegate::gating {

using base::TimePoint;

namespace {

Refusal refuse_waiting(const RunState& run) {
  Refusal refusal;
  refusal.kind = RefusalKind::run_waiting;
  refusal.message = "The session waits; nothing can be handed over now";
  refusal.reason = run.waiting.reason;
  refusal.required_action = "Stop and tell the person you work for what the session waits for";
  return refusal;
}

/// Evidence handed over out of turn: refused, and on record (P-11). Where the run stands does not
/// change.
Transition record_violation(const RunState& run, const SubmitEvidence& submit, Refusal refusal,
                            TimePoint now) {
  Transition out = refused(submit.phase, std::move(refusal));
  if (!is_open(run.status)) return out;
  RunState next = run;
  ++next.version;
  next.updated_at = now;
  out.journal.push_back(entry("sequence_violation", next, submit.actor, now,
                              {{"requested_phase", submit.phase},
                               {"evidence_digest", submit.evidence_digest},
                               {"reason", out.reply.refusal->reason}}));
  out.next = std::move(next);
  return out;
}

/// A submission for a phase that was accepted before: the same answer again if it is the same
/// submission, a sequence violation that says when it was accepted otherwise (P-4).
Transition repeat_or_refuse(const RunState& run, const AcceptedPhase& accepted,
                            const SubmitEvidence& submit, TimePoint now) {
  const bool same_visit = !submit.visit || *submit.visit == accepted.visit;
  if (same_visit && accepted.evidence_digest == submit.evidence_digest) {
    Transition repeated;
    repeated.reply.kind = Reply::Kind::repeated;
    repeated.reply.phase = submit.phase;
    repeated.reply.accepted = accepted;
    return repeated;
  }
  Refusal refusal;
  refusal.kind = RefusalKind::phase_sequence_violation;
  refusal.message = "Cannot complete Phase " + submit.phase + " again";
  refusal.reason = "Phase " + submit.phase + " was accepted with other evidence at " +
                   base::to_rfc3339(accepted.accepted_at);
  refusal.required_action = "Nothing more is needed for Phase " + submit.phase;
  if (is_open(run.status) && run.waiting.code.empty()) {
    refusal.required_action += "; go on with Phase " + run.current_phase;
  }
  refusal.accepted_at = accepted.accepted_at;
  return record_violation(run, submit, std::move(refusal), now);
}

Effect checks_of(const RunState& run, const Pending& pending) {
  const base::Json payload = {{"visit", run.visit}, {"evidence_digest", pending.evidence_digest}};
  return {std::string(kRunChecks), run.current_phase, pending.attempt, base::dump(payload)};
}

/// The evidence is as required; what the engine sees for itself decides. Until then it is kept.
Transition await_checks(const Definition& definition, const RunState& run,
                        const SubmitEvidence& submit, EvidenceVerdict verdict, std::size_t due,
                        TimePoint now) {
  Transition out;
  RunState next = after_attempt(run, now);
  next.pending = Pending{next.attempts,        submit.evidence_text, submit.evidence_digest,
                         submit.aliases_taken, submit.actor,         now};
  settle_waiting(definition, next);
  base::Json data = submission_json(submit, verdict);
  data["checks_due"] = due;
  out.journal.push_back(entry("evidence_submitted", next, submit.actor, now, data));
  out.effects.push_back(checks_of(next, *next.pending));
  out.reply.kind = Reply::Kind::verifying;
  out.reply.phase = submit.phase;
  out.reply.verdict = std::move(verdict);
  out.next = std::move(next);
  return out;
}

/// Evidence that is pending for ever would be a run that nobody can lead on. The version tells that
/// nobody else has offered its checks again meanwhile.
Transition offer_again(const RunState& run, const SubmitEvidence& submit, TimePoint now) {
  Transition out;
  RunState next = run;
  ++next.version;
  next.updated_at = now;
  out.journal.push_back(entry(
      "checks_offered_again", next, submit.actor, now,
      {{"attempt", run.pending->attempt}, {"evidence_digest", run.pending->evidence_digest}}));
  out.effects.push_back(checks_of(next, *run.pending));
  out.next = std::move(next);
  return out;
}

/// The same evidence again is told that it is being checked; other evidence has to wait.
Transition while_pending(const RunState& run, const SubmitEvidence& submit, TimePoint now) {
  if (run.pending->evidence_digest == submit.evidence_digest) {
    const bool lost = submit.checks_lost && *submit.checks_lost == run.version;
    Transition again = lost ? offer_again(run, submit, now) : Transition();
    again.reply.kind = Reply::Kind::verifying;
    again.reply.phase = submit.phase;
    return again;
  }
  Refusal refusal;
  refusal.kind = RefusalKind::verifying;
  refusal.message = "Not approved: other evidence for Phase " + run.current_phase +
                    " is being checked since " + base::to_rfc3339(run.pending->since);
  refusal.reason = "One attempt is checked at a time, and its result counts";
  refusal.required_action =
      "Wait for the checks: call get_workflow_state until they are done, then hand over evidence "
      "again if they failed";
  return refused(submit.phase, std::move(refusal));
}

/// A person is to decide about what was handed over: the same again changes nothing, and other
/// evidence has to wait, so that what was shown is what is decided about.
Transition while_deciding(const RunState& run, const SubmitEvidence& submit) {
  if (run.decision->submission.evidence_digest == submit.evidence_digest) {
    Transition again;
    again.reply.kind = Reply::Kind::waiting;
    again.reply.phase = submit.phase;
    again.reply.checks = run.decision->checks;
    return again;
  }
  Refusal refusal;
  refusal.kind = RefusalKind::decision_required;
  refusal.message = "Not approved: Phase " + run.current_phase + " waits for a person's decision";
  refusal.reason = run.decision->submission.evidence_digest.empty()
                       ? "The step is a person's; there is nothing to hand over"
                       : "They decide about the evidence that was handed over at " +
                             base::to_rfc3339(run.decision->submission.since);
  refusal.required_action =
      "Stop here and tell the person you work for that their decision is needed";
  return refused(submit.phase, std::move(refusal));
}

Refusal refuse_paused(const RunState& run) {
  Refusal refusal;
  refusal.kind = RefusalKind::paused;
  refusal.message = "A person has paused the session; nothing can be handed over now";
  refusal.reason = run.waiting.reason;
  refusal.required_action = "Stop here; a person goes on with it";
  return refusal;
}

/// A phase that the run has been in, and that is not the open one.
Refusal refuse_not_open(const RunState& run, const std::string& phase) {
  Refusal refusal;
  refusal.kind = RefusalKind::phase_sequence_violation;
  refusal.message = "Cannot complete Phase " + phase + " now";
  refusal.reason = "The session has gone back: it is in Phase " + run.current_phase +
                   ", and what was accepted for Phase " + phase + " counts no more";
  refusal.required_action = "Complete Phase " + run.current_phase + " first";
  return refusal;
}

Refusal refuse_without_key() {
  return refusal_of(RefusalKind::run_waiting,
                    "The evidence cannot be taken: the workflow asks for a secret",
                    "Only a digest of it would be kept, and there is no key to make it with",
                    "Stop and ask a person to run: phasegate doctor");
}

/// What was handed over, as it is kept.
struct Handed {
  SubmitEvidence submit;
  /// What the gate makes of it, where its secrets are digests by now; nullopt: to be judged yet.
  std::optional<EvidenceVerdict> verdict;

  [[nodiscard]] EvidenceVerdict judged(const EvidenceGate& gate) const {
    return verdict ? *verdict : gate.judge(*submit.evidence);
  }
};

/// The checks of this very evidence have failed and nobody has been told: told now, not run again.
Transition tell_results(const Definition& definition, const RunState& run, const Handed& handed,
                        TimePoint now) {
  const SubmitEvidence& submit = handed.submit;
  RunState next = run;
  ++next.version;
  next.updated_at = now;
  next.verified->told = true;
  Transition out;
  out.reply.kind = Reply::Kind::refused;
  out.reply.phase = submit.phase;
  out.reply.checks = run.verified->results;
  const auto index = definition.workflow.phase_index(run.current_phase);
  if (index) {
    out.reply.verdict = handed.judged(definition.gates[*index]);
    out.reply.verdict.problems = definition.checks[*index].untrue(
        definition.workflow.phases[*index].gate, *submit.evidence, run.verified->results);
  }
  out.reply.refusal = checks_refusal(run, run.verified->results);
  out.next = std::move(next);
  return out;
}

Transition submit_evidence(const Definition& definition, const RunState& run, const Handed& handed,
                           TimePoint now) {
  const SubmitEvidence& submit = handed.submit;
  if (const AcceptedPhase* accepted = run.find_accepted(submit.phase);
      accepted != nullptr && (submit.phase != run.current_phase || !is_open(run.status) ||
                              run.waiting.code == "dynamic_unsupported")) {
    return repeat_or_refuse(run, *accepted, submit, now);
  }
  if (!is_open(run.status)) return refused(submit.phase, refuse_ended(run));
  if (submit.phase != run.current_phase) {
    auto refusal = refuse_reading(definition, run, submit.phase);
    if (!refusal) refusal = refuse_not_open(run, submit.phase);
    return record_violation(run, submit, std::move(*refusal), now);
  }
  if (run.waiting.code == "dynamic_unsupported") return refused(submit.phase, refuse_waiting(run));
  if (auto stale = refuse_stale(run, submit.version)) return refused(submit.phase, *stale);
  if ((submit.visit && *submit.visit != run.visit) || (!submit.visit && run.visit > 1)) {
    Refusal refusal;
    refusal.kind = RefusalKind::wrong_visit;
    refusal.message = "Phase " + run.current_phase + " is in visit " + std::to_string(run.visit);
    refusal.reason = submit.visit
                         ? "The evidence is for visit " + std::to_string(*submit.visit)
                         : "The phase was entered more than once, so the visit must be named";
    refusal.required_action = "Call complete_phase with visit " + std::to_string(run.visit);
    return refused(submit.phase, std::move(refusal));
  }

  if (run.pending) return while_pending(run, submit, now);
  if (run.decision) return while_deciding(run, submit);
  if (run.paused) return refused(submit.phase, refuse_paused(run));
  if (run.verified && !run.verified->told &&
      run.verified->evidence_digest == submit.evidence_digest) {
    return tell_results(definition, run, handed, now);
  }

  const auto index = definition.workflow.phase_index(run.current_phase);
  // A state whose phase the pinned definition lacks cannot be judged: shut.
  if (!index) {
    Refusal refusal;
    refusal.kind = RefusalKind::run_waiting;
    refusal.message = "The session's state does not fit its pinned workflow";
    refusal.reason = "Phase " + run.current_phase + " is not part of it";
    refusal.required_action = "Stop and ask a person to run: phasegate doctor";
    return refused(submit.phase, std::move(refusal));
  }
  const phases::Phase& phase = definition.workflow.phases[*index];
  EvidenceVerdict verdict = handed.judged(definition.gates[*index]);
  verdict.aliases_taken = submit.aliases_taken;
  // Even a lenient author wants evidence: something that is no object is never let through.
  const bool lenient = run.gates == GatePolicy::as_written && phase.gate.asks_leniency &&
                       submit.evidence->is_object();
  if (!verdict.problems.empty() && !lenient) {
    return refuse_evidence(after_attempt(run, now), submit, std::move(verdict), now);
  }
  const auto due = submit.evidence->is_object() ? definition.checks[*index].due(*submit.evidence)
                                                : std::vector<const phases::Check*>();
  if (!due.empty())
    return await_checks(definition, run, submit, std::move(verdict), due.size(), now);
  return decide(definition, after_attempt(run, now),
                {submit, std::move(verdict), lenient, {}, {}, "", submit.decision_id}, now);
}

}  // namespace

/// Evidence for a phase that the run has reached, under the names that its gate publishes, and with
/// no secret in it: it is judged here, and nothing behind this function sees the value.
Transition submit(const Definition& definition, const RunState& run, const SubmitEvidence& command,
                  TimePoint now) {
  const auto index = definition.workflow.phase_index(command.phase);
  const bool reached =
      command.phase == run.current_phase || run.find_accepted(command.phase) != nullptr;
  const EvidenceGate* gate = index && reached ? &definition.gates[*index] : nullptr;
  NamedEvidence named;
  if (gate != nullptr) named = gate->published(*command.evidence);
  const base::Json& sent = named.evidence ? *named.evidence : *command.evidence;

  std::optional<base::Json> hidden;
  Handed handed{command, std::nullopt};
  if (has_secrets(definition.workflow)) {
    if (command.secret_key.empty()) return refused(command.phase, refuse_without_key());
    const SecretPlace place{command.secret_key, run.id, command.phase};
    // Out of turn nobody can say what in it is secret.
    hidden = gate == nullptr
                 ? base::Json(secret_digest(place, "", sent))
                 : SecretFields(definition.workflow.phases[*index].gate, definition.workflow)
                       .hidden(sent, place);
    if (gate != nullptr) handed.verdict = gate->judge(sent);
  }
  if (!named.evidence && !hidden) return submit_evidence(definition, run, handed, now);
  SubmitEvidence& submit = handed.submit;
  submit.evidence = hidden ? &*hidden : named.evidence.get();
  submit.evidence_text = base::dump(*submit.evidence);
  submit.evidence_digest = base::sha256_hex(base::dump_canonical(*submit.evidence));
  submit.aliases_taken = std::move(named.taken);
  submit.secret_key.clear();
  return submit_evidence(definition, run, handed, now);
}

}  // namespace phasegate::gating
