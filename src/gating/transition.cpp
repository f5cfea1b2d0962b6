#include "gating/transition.h"

#include <algorithm>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/repin.h"

namespace phasegate::gating {

using base::Json;
using base::TimePoint;

namespace {

/// The engine's own actor in the journal.
constexpr std::string_view kEngine = "engine";

JournalEntry entry(std::string kind, const RunState& run, std::string actor, TimePoint at,
                   const Json& data = Json::object()) {
  JournalEntry line;
  line.kind = std::move(kind);
  line.phase = run.current_phase;
  line.visit = run.visit;
  line.attempt = run.attempts;
  line.actor = std::move(actor);
  line.data = base::dump(data);
  line.at = at;
  return line;
}

Transition refused(std::string phase, Refusal refusal) {
  Transition nothing;
  nothing.reply.kind = Reply::Kind::refused;
  nothing.reply.phase = std::move(phase);
  nothing.reply.refusal = std::move(refusal);
  return nothing;
}

/// Outcome of an ended run, as programs read it.
std::string_view outcome_of(const RunState& run) {
  return run.partial ? "partial" : "ok";
}

std::optional<Refusal> refuse_stale(const RunState& run, std::optional<std::int64_t> version) {
  if (!version || *version == run.version) return std::nullopt;
  Refusal refusal;
  refusal.kind = RefusalKind::stale_version;
  refusal.message = "The session has changed since state version " + std::to_string(*version);
  refusal.reason = "It is now at state version " + std::to_string(run.version);
  refusal.required_action = "Call get_workflow_state, then decide again";
  return refusal;
}

Refusal refuse_ended(const RunState& run) {
  Refusal refusal;
  refusal.kind = RefusalKind::run_ended;
  refusal.message = "The session has ended: " + std::string(to_text(run.status));
  refusal.reason = run.end_reason.empty() ? "Nothing more can be handed over" : run.end_reason;
  refusal.required_action =
      "Stop working on this session; start_workflow begins a new one if more is to be done";
  return refusal;
}

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

Json problems_json(const EvidenceVerdict& verdict) {
  Json problems = Json::array();
  for (const FieldProblem& problem : verdict.problems) {
    if (problems.size() >= base::limits::kProblemsShownMax) break;
    problems.push_back({{"field", problem.field},
                        {"keyword", problem.keyword},
                        {"wanted", problem.wanted},
                        {"got", problem.got}});
  }
  return problems;
}

Json submission_json(const SubmitEvidence& submit, const EvidenceVerdict& verdict) {
  Json data = Json::object();
  data["evidence_digest"] = submit.evidence_digest;
  data["evidence"] = *submit.evidence;
  if (!verdict.problems.empty()) data["problems"] = problems_json(verdict);
  if (!verdict.extra_fields.empty()) data["extra_fields"] = verdict.extra_fields;
  for (const AliasTaken& taken : verdict.aliases_taken) {
    data["aliases_taken"][taken.alias] = taken.name;
  }
  return data;
}

/// The state after a submission that was judged, before anything is made of the verdict.
RunState after_attempt(const RunState& run, TimePoint now) {
  RunState next = run;
  ++next.attempts;
  ++next.version;
  next.updated_at = now;
  next.missing.clear();
  return next;
}

/// A judged submission that does not open the gate: it is kept, the phase stays.
Transition keep_shut(RunState next, const SubmitEvidence& submit, EvidenceVerdict verdict,
                     Refusal refusal, JournalEntry line) {
  Transition out;
  out.journal.push_back(std::move(line));
  out.reply.kind = Reply::Kind::refused;
  out.reply.phase = submit.phase;
  out.reply.refusal = std::move(refusal);
  out.reply.verdict = std::move(verdict);
  out.next = std::move(next);
  return out;
}

/// Evidence that does not satisfy the gate: the attempt is kept, the phase stays (004-26, P-11).
Transition refuse_evidence(const RunState& run, const SubmitEvidence& submit,
                           EvidenceVerdict verdict, TimePoint now) {
  RunState next = after_attempt(run, now);
  for (const FieldProblem& problem : verdict.problems) {
    if (next.missing.size() >= base::limits::kProblemsShownMax) break;
    if (!problem.field.empty() &&
        std::find(next.missing.begin(), next.missing.end(), problem.field) == next.missing.end()) {
      next.missing.push_back(problem.field);
    }
  }
  JournalEntry line =
      entry("evidence_refused", next, submit.actor, now, submission_json(submit, verdict));
  Refusal refusal;
  refusal.kind = RefusalKind::incomplete_checkpoint;
  refusal.message = "Complete checkpoint requirements to proceed";
  refusal.reason = base::counted(verdict.problems.size(), "problem") +
                   " in the evidence of Phase " + run.current_phase;
  refusal.required_action = "Provide all required evidence to complete checkpoint";
  return keep_shut(std::move(next), submit, std::move(verdict), std::move(refusal),
                   std::move(line));
}

/// The evidence satisfies the gate, yet its document asks for a person. No decision can be recorded
/// yet, so the gate stays shut: the run waits and says so.
Transition await_decision(const RunState& run, const SubmitEvidence& submit,
                          EvidenceVerdict verdict, TimePoint now) {
  RunState next = after_attempt(run, now);
  next.status = RunStatus::waiting;
  next.waiting = {"decision_unavailable",
                  "Phase " + run.current_phase +
                      " requires a person's approval, which this version cannot record; the gate "
                      "stays shut"};
  Json data = submission_json(submit, verdict);
  data["waiting"] = next.waiting.code;
  JournalEntry line = entry("decision_awaited", next, submit.actor, now, data);
  Refusal refusal;
  refusal.kind = RefusalKind::decision_required;
  refusal.message = "Not approved: the gate of Phase " + run.current_phase + " stays shut";
  refusal.reason = next.waiting.reason;
  refusal.required_action =
      "Stop here and tell the person you work for that their decision is needed";
  return keep_shut(std::move(next), submit, std::move(verdict), std::move(refusal),
                   std::move(line));
}

/// What follows an accepted phase: the next one, the wait for a dynamic part, or the end.
void advance(const Definition& definition, RunState& next, std::vector<JournalEntry>& journal,
             TimePoint now) {
  const auto& phases = definition.workflow.phases;
  const auto index = definition.workflow.phase_index(next.current_phase);
  if (index && *index + 1 < phases.size()) {
    next.status = RunStatus::active;
    next.current_phase = phases[*index + 1].id;
    next.visit = 1;
    next.attempts = 0;
    journal.push_back(entry("phase_entered", next, std::string(kEngine), now));
    return;
  }
  if (!definition.workflow.dynamic_reason.empty() || definition.workflow.dynamic) {
    // A run is pinned to what its document said; one that is not has phases to come all the same.
    next.status = RunStatus::waiting;
    next.waiting = {"dynamic_unsupported", definition.workflow.dynamic_reason.empty()
                                               ? "The phases that follow were never read."
                                               : definition.workflow.dynamic_reason};
    journal.push_back(entry("run_waiting", next, std::string(kEngine), now,
                            {{"code", next.waiting.code}, {"reason", next.waiting.reason}}));
    return;
  }
  next.status = RunStatus::completed;
  journal.push_back(
      entry("run_completed", next, std::string(kEngine), now, {{"outcome", outcome_of(next)}}));
}

Transition accept(const Definition& definition, const RunState& run, const phases::Phase& phase,
                  const SubmitEvidence& submit, EvidenceVerdict verdict, bool lenient,
                  TimePoint now) {
  Transition out;
  RunState next = after_attempt(run, now);
  next.waiting = {};

  AcceptedPhase accepted;
  accepted.phase = phase.id;
  accepted.visit = run.visit;
  accepted.attempt = next.attempts;
  accepted.evidence_digest = submit.evidence_digest;
  accepted.accepted_at = now;
  accepted.self_attested = static_cast<int>(verdict.self_attested.size());
  accepted.weak = phase.gate.weak;
  accepted.lenient = lenient;
  next.partial = next.partial || accepted.weak || accepted.lenient;
  next.accepted.push_back(accepted);

  Json data = submission_json(submit, verdict);
  if (accepted.weak) data["weak_gate"] = true;
  if (accepted.lenient) data["lenient"] = true;
  out.journal.push_back(entry("phase_completed", next, submit.actor, now, data));
  out.artifact = NewArtifact{phase.id, run.visit, submit.evidence_text, submit.evidence_digest};
  advance(definition, next, out.journal, now);

  out.reply.kind = Reply::Kind::accepted;
  out.reply.phase = submit.phase;
  out.reply.verdict = std::move(verdict);
  out.reply.accepted = std::move(accepted);
  out.next = std::move(next);
  return out;
}

Transition submit_evidence(const Definition& definition, const RunState& run,
                           const SubmitEvidence& submit, TimePoint now) {
  if (const AcceptedPhase* accepted = run.find_accepted(submit.phase);
      accepted != nullptr && (submit.phase != run.current_phase || !is_open(run.status) ||
                              run.waiting.code == "dynamic_unsupported")) {
    return repeat_or_refuse(run, *accepted, submit, now);
  }
  if (!is_open(run.status)) return refused(submit.phase, refuse_ended(run));
  if (submit.phase != run.current_phase) {
    return record_violation(run, submit, *refuse_reading(definition, run, submit.phase), now);
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
  EvidenceVerdict verdict = definition.gates[*index].judge(*submit.evidence);
  verdict.aliases_taken = submit.aliases_taken;
  // Even a lenient author wants evidence: something that is no object is never let through.
  const bool lenient = run.gates == GatePolicy::as_written && phase.gate.asks_leniency &&
                       submit.evidence->is_object();
  if (!verdict.problems.empty() && !lenient) {
    return refuse_evidence(run, submit, std::move(verdict), now);
  }
  if (phase.gate.human_approval) return await_decision(run, submit, std::move(verdict), now);
  return accept(definition, run, phase, submit, std::move(verdict), lenient, now);
}

/// Evidence for a phase that the run has reached, under the names that its gate publishes.
Transition submit_published(const Definition& definition, const RunState& run,
                            const SubmitEvidence& submit, TimePoint now) {
  const auto index = definition.workflow.phase_index(submit.phase);
  const bool reached =
      submit.phase == run.current_phase || run.find_accepted(submit.phase) != nullptr;
  if (!index || !reached) return submit_evidence(definition, run, submit, now);
  NamedEvidence named = definition.gates[*index].published(*submit.evidence);
  if (!named.evidence) return submit_evidence(definition, run, submit, now);
  SubmitEvidence renamed = submit;
  renamed.evidence = named.evidence.get();
  renamed.evidence_text = base::dump(*named.evidence);
  renamed.evidence_digest = base::sha256_hex(base::dump_canonical(*named.evidence));
  renamed.aliases_taken = std::move(named.taken);
  return submit_evidence(definition, run, renamed, now);
}

Transition cancel(const RunState& run, const Cancel& command, TimePoint now) {
  if (!is_open(run.status)) return refused(run.current_phase, refuse_ended(run));
  if (auto stale = refuse_stale(run, command.version)) return refused(run.current_phase, *stale);
  Transition out;
  RunState next = run;
  ++next.version;
  next.updated_at = now;
  next.status = RunStatus::cancelled;
  next.waiting = {};
  next.missing.clear();
  next.end_reason = command.reason.empty() ? "Cancelled by " + command.actor : command.reason;
  base::Json data{{"reason", next.end_reason}};
  if (!command.channel.empty()) {
    data["channel"] = command.channel;
    data["assurance"] = "unauthenticated";
  }
  out.journal.push_back(entry("run_cancelled", next, command.actor, now, std::move(data)));
  out.reply.kind = Reply::Kind::cancelled;
  out.reply.phase = run.current_phase;
  out.next = std::move(next);
  return out;
}

}  // namespace

Transition begin(const Definition& definition, const Start& start, TimePoint now) {
  Transition out;
  RunState run;
  run.id = start.run_id;
  run.workflow = definition.workflow.id;
  run.definition_hash = definition.hash;
  run.current_phase = definition.workflow.phases.front().id;
  run.gates = start.gates;
  run.target = start.target;
  run.branch = start.branch;
  run.worktree = start.worktree;
  run.input = start.input;
  run.options = start.options;
  run.resume_key = start.resume_key;
  run.principal = start.principal;
  run.created_at = now;
  run.updated_at = now;
  out.journal.push_back(entry("run_started", run, start.principal, now,
                              {{"workflow", run.workflow},
                               {"definition", run.definition_hash},
                               {"target", run.target},
                               {"gates", to_text(run.gates)}}));
  out.journal.push_back(entry("phase_entered", run, std::string(kEngine), now));
  out.reply.kind = Reply::Kind::started;
  out.reply.phase = run.current_phase;
  out.next = std::move(run);
  return out;
}

Transition transition(const Definition& definition, const RunState& run, const Command& command,
                      TimePoint now) {
  const TimePoint moment = std::max(now, run.updated_at);
  if (const auto* submit = std::get_if<SubmitEvidence>(&command)) {
    return submit_published(definition, run, *submit, moment);
  }
  if (const auto* repin = std::get_if<Repin>(&command)) {
    if (auto stale = refuse_stale(run, repin->version)) return refused(run.current_phase, *stale);
    return repinned(definition, run, *repin, moment);
  }
  return cancel(run, std::get<Cancel>(command), moment);
}

}  // namespace phasegate::gating
