#include "gating/transition_parts.h"

#include <algorithm>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"

namespace phasegate::gating {

using base::Json;
using base::TimePoint;

namespace {

/// Outcome of an ended run, as programs read it.
std::string_view outcome_of(const RunState& run) {
  return run.partial ? "partial" : "ok";
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

void add_checks(Json& data, const std::vector<CheckResult>& checks) {
  if (checks.empty()) return;
  data["checks"] = Json::array();
  for (const CheckResult& result : checks) data["checks"].push_back(to_json(result));
}

}  // namespace

JournalEntry entry(std::string kind, const RunState& run, std::string actor, TimePoint at,
                   const Json& data) {
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

JournalEntry entry(std::string kind, const RunState& run, std::string actor, TimePoint at) {
  return entry(std::move(kind), run, std::move(actor), at, Json::object());
}

Transition refused(std::string phase, Refusal refusal) {
  Transition nothing;
  nothing.reply.kind = Reply::Kind::refused;
  nothing.reply.phase = std::move(phase);
  nothing.reply.refusal = std::move(refusal);
  return nothing;
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

RunState after_attempt(const RunState& run, TimePoint now) {
  RunState next = run;
  ++next.attempts;
  ++next.version;
  next.updated_at = now;
  next.missing.clear();
  return next;
}

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

Transition refuse_evidence(RunState next, const SubmitEvidence& submit, EvidenceVerdict verdict,
                           TimePoint now, const std::vector<CheckResult>& checks) {
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
                   " in the evidence of Phase " + next.current_phase;
  refusal.required_action = "Provide all required evidence to complete checkpoint";
  Transition out =
      keep_shut(std::move(next), submit, std::move(verdict), std::move(refusal), std::move(line));
  out.reply.checks = checks;
  return out;
}

std::string keep_blob(Transition& transition, const std::string& bytes) {
  if (bytes.empty()) return "";
  std::string key = base::sha256_hex(bytes);
  transition.blobs.emplace(key, bytes);
  return key;
}

namespace {

/// The evidence satisfies the gate, yet its document asks for a person. No decision can be recorded
/// yet, so the gate stays shut: the run waits and says so.
Transition await_decision(RunState next, Passed passed, TimePoint now) {
  const SubmitEvidence& submit = passed.submit;
  next.status = RunStatus::waiting;
  next.waiting = {"decision_unavailable",
                  "Phase " + next.current_phase +
                      " requires a person's approval, which this version cannot record; the gate "
                      "stays shut"};
  Json data = submission_json(submit, passed.verdict);
  data["waiting"] = next.waiting.code;
  add_checks(data, passed.checks);
  JournalEntry line = entry("decision_awaited", next, submit.actor, now, data);
  Refusal refusal;
  refusal.kind = RefusalKind::decision_required;
  refusal.message = "Not approved: the gate of Phase " + next.current_phase + " stays shut";
  refusal.reason = next.waiting.reason;
  refusal.required_action =
      "Stop here and tell the person you work for that their decision is needed";
  Transition out = keep_shut(std::move(next), submit, std::move(passed.verdict), std::move(refusal),
                             std::move(line));
  out.reply.checks = std::move(passed.checks);
  return out;
}

/// What follows an accepted phase: the next one, the wait for a dynamic part, or the end.
void advance(const Definition& definition, RunState& next, Transition& out,
             const std::string& entered, TimePoint now) {
  std::vector<JournalEntry>& journal = out.journal;
  next.verified.reset();
  next.entered.clear();
  const auto& phases = definition.workflow.phases;
  const auto index = definition.workflow.phase_index(next.current_phase);
  if (index && *index + 1 < phases.size()) {
    next.status = RunStatus::active;
    next.current_phase = phases[*index + 1].id;
    next.visit = 1;
    next.attempts = 0;
    next.entered_at = now;
    next.entered = keep_blob(out, entered);
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

Transition accept(const Definition& definition, RunState next, const phases::Phase& phase,
                  Passed passed, TimePoint now) {
  Transition out;
  const SubmitEvidence& submit = passed.submit;
  const std::size_t index = *definition.workflow.phase_index(phase.id);
  next.waiting = {};

  AcceptedPhase accepted;
  accepted.phase = phase.id;
  accepted.visit = next.visit;
  accepted.attempt = next.attempts;
  accepted.evidence_digest = submit.evidence_digest;
  accepted.accepted_at = now;
  for (const std::string& field : passed.verdict.self_attested) {
    if (!definition.checks[index].backed().contains(field)) ++accepted.self_attested;
  }
  for (const CheckResult& result : passed.checks) {
    ++(result.outcome == CheckOutcome::passed ? accepted.checked : accepted.skipped);
  }
  accepted.files = std::move(passed.files);
  accepted.weak = phase.gate.weak;
  accepted.lenient = passed.lenient;
  next.partial = next.partial || accepted.weak || accepted.lenient || accepted.skipped > 0;
  next.accepted.push_back(accepted);

  Json data = submission_json(submit, passed.verdict);
  if (accepted.weak) data["weak_gate"] = true;
  if (accepted.lenient) data["lenient"] = true;
  add_checks(data, passed.checks);
  out.journal.push_back(entry("phase_completed", next, submit.actor, now, data));
  out.artifact = NewArtifact{phase.id, next.visit, submit.evidence_text, submit.evidence_digest};
  advance(definition, next, out, passed.entered, now);

  out.reply.kind = Reply::Kind::accepted;
  out.reply.phase = submit.phase;
  out.reply.verdict = std::move(passed.verdict);
  out.reply.accepted = std::move(accepted);
  out.reply.checks = std::move(passed.checks);
  out.next = std::move(next);
  return out;
}

}  // namespace

Transition decide(const Definition& definition, RunState next, Passed passed, TimePoint now) {
  const phases::Phase& phase = *definition.workflow.find_phase(next.current_phase);
  if (phase.gate.human_approval) return await_decision(std::move(next), std::move(passed), now);
  return accept(definition, std::move(next), phase, std::move(passed), now);
}

}  // namespace phasegate::gating
