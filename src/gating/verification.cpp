#include <algorithm>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/transition_parts.h"

namespace phasegate::gating {

using base::Json;
using base::TimePoint;

namespace {

Refusal refuse_superseded(const RunState& run) {
  Refusal refusal;
  refusal.kind = RefusalKind::superseded;
  refusal.message = "The results are for evidence that the session no longer waits for";
  refusal.reason = run.pending ? "Attempt " + std::to_string(run.pending->attempt) + " of Phase " +
                                     run.current_phase + " is pending"
                               : "Nothing is pending";
  refusal.required_action = "Nothing: the results are dropped";
  return refusal;
}

void mark_stale(RunState& run, const std::vector<std::string>& stale) {
  for (AcceptedPhase& accepted : run.accepted) {
    accepted.stale = std::find(stale.begin(), stale.end(), accepted.phase) != stale.end();
  }
}

/// What the engine saw does not let the evidence through.
Transition refuse_results(const RunState& run, RunState next, const SubmitEvidence& submit,
                          EvidenceVerdict verdict, const ChecksFinished& command, TimePoint now) {
  for (const CheckResult& result : command.results) {
    if (result.lets_through()) continue;
    if (next.missing.size() >= base::limits::kProblemsShownMax) break;
    next.missing.push_back(result.name);
  }
  for (const FieldProblem& problem : verdict.problems) {
    if (next.missing.size() >= base::limits::kProblemsShownMax) break;
    next.missing.push_back(problem.field);
  }
  next.verified =
      Verified{command.attempt, command.evidence_digest, command.results, command.told, now};
  Json data = {{"evidence_digest", command.evidence_digest}, {"checks", Json::array()}};
  for (const CheckResult& result : command.results) data["checks"].push_back(to_json(result));
  for (const FieldProblem& problem : verdict.problems) {
    data["untrue"].push_back(
        {{"field", problem.field}, {"wanted", problem.wanted}, {"got", problem.got}});
  }
  JournalEntry line = entry("checks_failed", next, std::string(kEngine), now, data);
  Refusal refusal = checks_refusal(run, command.results);
  Transition out =
      keep_shut(std::move(next), submit, std::move(verdict), std::move(refusal), std::move(line));
  out.reply.checks = command.results;
  return out;
}

}  // namespace

Refusal checks_refusal(const RunState& run, const std::vector<CheckResult>& results) {
  const auto shut = static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(),
                    [](const CheckResult& result) { return !result.lets_through(); }));
  Refusal refusal;
  refusal.kind = RefusalKind::checks_failed;
  refusal.message = "Not approved: the gate of Phase " + run.current_phase + " stays shut";
  refusal.reason = shut == 0 ? std::string("The evidence does not say what the checks found")
                             : base::counted(shut, "check") + " of " +
                                   std::to_string(results.size()) + " did not pass";
  refusal.required_action =
      "Do what the checks ask for, then call complete_phase again with evidence that is true; they "
      "are run again";
  return refusal;
}

Transition finish_checks(const Definition& definition, const RunState& run,
                         const ChecksFinished& command, TimePoint now) {
  const auto index = definition.workflow.phase_index(run.current_phase);
  const bool awaited = is_open(run.status) && run.pending && index &&
                       run.current_phase == command.phase && run.visit == command.visit &&
                       run.pending->attempt == command.attempt &&
                       run.pending->evidence_digest == command.evidence_digest;
  if (!awaited) return refused(command.phase, refuse_superseded(run));
  const phases::Phase& phase = definition.workflow.phases[*index];
  const CheckGate& checks = definition.checks[*index];

  RunState next = run;
  next.pending.reset();
  next.missing.clear();
  ++next.version;
  next.updated_at = now;
  mark_stale(next, command.stale);

  // What was committed was an object; anything else was damaged since and judges as no evidence.
  const auto parsed = base::parse_json(run.pending->evidence, {base::limits::kEvidenceBytesMax * 2,
                                                               base::limits::kDocumentDepthMax});
  const Json evidence = parsed ? *parsed : Json();
  const SubmitEvidence submit = submission_of(run, *run.pending, evidence);
  EvidenceVerdict verdict = definition.gates[*index].judge_kept(evidence);
  verdict.aliases_taken = submit.aliases_taken;
  const bool lenient =
      run.gates == GatePolicy::as_written && phase.gate.asks_leniency && evidence.is_object();
  if (!verdict.problems.empty() && !lenient) {
    return refuse_evidence(std::move(next), submit, std::move(verdict), now, command.results);
  }
  std::vector<FieldProblem> untrue = checks.untrue(phase.gate, evidence, command.results);
  const std::size_t due = evidence.is_object() ? checks.due(evidence).size() : 0;
  const bool open = command.results.size() == due && untrue.empty() &&
                    std::all_of(command.results.begin(), command.results.end(),
                                [](const CheckResult& result) { return result.lets_through(); });
  if (!open) {
    verdict.problems = std::move(untrue);
    return refuse_results(run, std::move(next), submit, std::move(verdict), command, now);
  }
  return decide(definition, std::move(next),
                {submit, std::move(verdict), lenient, command.results, command.files,
                 command.entered, command.decision_id},
                now);
}

}  // namespace phasegate::gating
