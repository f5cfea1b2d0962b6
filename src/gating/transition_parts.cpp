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

}  // namespace

void add_checks(Json& data, const std::vector<CheckResult>& checks) {
  if (checks.empty()) return;
  data["checks"] = Json::array();
  for (const CheckResult& result : checks) data["checks"].push_back(to_json(result));
}

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

Refusal refusal_of(RefusalKind kind, std::string message, std::string reason, std::string action) {
  Refusal refusal;
  refusal.kind = kind;
  refusal.message = std::move(message);
  refusal.reason = std::move(reason);
  refusal.required_action = std::move(action);
  return refusal;
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

SubmitEvidence submission_of(const RunState& run, const Pending& pending, const Json& evidence) {
  SubmitEvidence submit;
  submit.phase = run.current_phase;
  submit.evidence = &evidence;
  submit.evidence_digest = pending.evidence_digest;
  submit.evidence_text = pending.evidence;
  submit.aliases_taken = pending.aliases_taken;
  submit.actor = pending.actor;
  return submit;
}

Effect notify(const RunState& run, std::string_view event, const Json& more, TimePoint now) {
  Json payload = {{"event", event},
                  {"at_ms", now.ms},
                  {"workflow", run.workflow},
                  {"phase", run.current_phase},
                  {"visit", run.visit}};
  payload.update(more);
  return {std::string(kNotify), run.current_phase, run.attempts, base::dump(payload)};
}

void settle_waiting(const Definition& definition, RunState& next) {
  if (!is_open(next.status)) return;
  if (next.waiting.code == "dynamic_unsupported" && !next.paused) return;
  next.status = RunStatus::waiting;
  if (next.paused) {
    next.waiting = {"paused", "A person has paused the session"};
    if (!next.paused->reason.empty()) next.waiting.reason += ": " + next.paused->reason;
    return;
  }
  if (next.decision) {
    next.waiting = {"decision", "Phase " + next.current_phase + " waits for a person's decision"};
    const phases::Phase* phase = definition.workflow.find_phase(next.current_phase);
    const auto demand = phase == nullptr ? std::nullopt : phases::decision_demand(*phase);
    const std::size_t given = next.decision->answers.size();
    if (demand && demand->count > 1) {
      next.waiting.reason +=
          " (" + std::to_string(given) + " of " + std::to_string(demand->count) + " have decided)";
    }
    return;
  }
  next.status = RunStatus::active;
  next.waiting = {};
}

namespace {

void end_completed(RunState& next, Transition& out, TimePoint now) {
  next.status = RunStatus::completed;
  next.waiting = {};
  next.paused.reset();
  out.journal.push_back(
      entry("run_completed", next, std::string(kEngine), now, {{"outcome", outcome_of(next)}}));
  out.effects.push_back(notify(next, "run_completed", {{"outcome", outcome_of(next)}}, now));
}

/// What follows an accepted phase: the next one, the wait for a dynamic part, or the end.
void advance(const Definition& definition, RunState& next, Transition& out, const Passed& passed,
             const Decided& decided, TimePoint now) {
  next.verified.reset();
  next.feedback.reset();
  next.entered.clear();
  if (decided.end) return end_completed(next, out, now);
  const auto& phases = definition.workflow.phases;
  const auto index = definition.workflow.phase_index(next.current_phase);
  if (!decided.goto_phase.empty()) {
    return enter(definition, next, out, decided.goto_phase, passed.entered, passed.decision_id,
                 now);
  }
  if (index && *index + 1 < phases.size()) {
    return enter(definition, next, out, phases[*index + 1].id, passed.entered, passed.decision_id,
                 now);
  }
  if (!definition.workflow.dynamic_reason.empty() || definition.workflow.dynamic) {
    // A run is pinned to what its document said; one that is not has phases to come all the same.
    next.status = RunStatus::waiting;
    next.waiting = {"dynamic_unsupported", definition.workflow.dynamic_reason.empty()
                                               ? "The phases that follow were never read."
                                               : definition.workflow.dynamic_reason};
    out.journal.push_back(entry("run_waiting", next, std::string(kEngine), now,
                                {{"code", next.waiting.code}, {"reason", next.waiting.reason}}));
    return;
  }
  end_completed(next, out, now);
}

}  // namespace

Transition accept(const Definition& definition, RunState next, Passed passed,
                  const Decided& decided, TimePoint now) {
  Transition out;
  const SubmitEvidence& submit = passed.submit;
  const std::size_t index = *definition.workflow.phase_index(next.current_phase);
  const phases::Phase& phase = definition.workflow.phases[index];
  next.waiting = {};
  next.decision.reset();

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
  accepted.decided = decided.authenticated;
  accepted.deciders = decided.deciders;
  accepted.went_to = decided.goto_phase;
  accepted.files = std::move(passed.files);
  accepted.weak = phase.gate.weak;
  accepted.lenient = passed.lenient;
  const bool unproven = static_cast<std::size_t>(decided.authenticated) < decided.deciders.size();
  next.partial =
      next.partial || accepted.weak || accepted.lenient || accepted.skipped > 0 || unproven;
  next.accepted.push_back(accepted);

  Json data = submission_json(submit, passed.verdict);
  if (accepted.weak) data["weak_gate"] = true;
  if (accepted.lenient) data["lenient"] = true;
  if (!decided.deciders.empty()) data["deciders"] = decided.deciders;
  add_checks(data, passed.checks);
  out.journal.push_back(entry("phase_completed", next, submit.actor, now, data));
  out.artifact = NewArtifact{phase.id, next.visit, submit.evidence_text, submit.evidence_digest};
  advance(definition, next, out, passed, decided, now);
  settle_waiting(definition, next);

  out.reply.kind = Reply::Kind::accepted;
  out.reply.phase = submit.phase;
  out.reply.verdict = std::move(passed.verdict);
  out.reply.accepted = std::move(accepted);
  out.reply.checks = std::move(passed.checks);
  out.next = std::move(next);
  return out;
}

Transition decide(const Definition& definition, RunState next, Passed passed, TimePoint now) {
  const phases::Phase& phase = *definition.workflow.find_phase(next.current_phase);
  if (phases::asks_a_person(phase)) {
    return await_decision(definition, std::move(next), std::move(passed), now);
  }
  return accept(definition, std::move(next), std::move(passed), {}, now);
}

}  // namespace phasegate::gating
