#include <algorithm>
#include <string>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/transition_parts.h"
#include "phases/decision.h"

namespace phasegate::gating {

using base::Json;
using base::TimePoint;

namespace {

/// True if the phase is on the way that led here: its gate, or this one's, is what is gone back to.
/// One that was left aside by a choice since has gates before it that count no more.
bool is_on_the_way(const RunState& run, const std::string& phase) {
  return phase == run.current_phase || run.find_accepted(phase) != nullptr;
}

}  // namespace

void ask_at_entry(const Definition& definition, RunState& next, Transition& out,
                  const std::string& decision_id, TimePoint now) {
  const phases::Phase& phase = *definition.workflow.find_phase(next.current_phase);
  if (!phase.by_person) return;
  // Asking is the one attempt that there is.
  next.attempts = 1;
  OpenDecision decision;
  decision.id = decision_id;
  decision.submission.attempt = next.attempts;
  decision.submission.since = now;
  ask_people(definition, next, out, std::move(decision), now);
}

void enter(const Definition& definition, RunState& next, Transition& out, const std::string& phase,
           const std::string& entered, const std::string& decision_id, TimePoint now) {
  const int visit = next.visits_of(phase) + 1;
  next.status = RunStatus::active;
  next.waiting = {};
  next.decision.reset();
  next.pending.reset();
  next.verified.reset();
  next.missing.clear();
  next.current_phase = phase;
  next.visit = visit;
  next.attempts = 0;
  next.entered_at = now;
  next.entered = keep_blob(out, entered);
  out.journal.push_back(entry("phase_entered", next, std::string(kEngine), now));
  ask_at_entry(definition, next, out, decision_id, now);
}

Transition go_back(const Definition& definition, RunState next, const WayBack& way, TimePoint now) {
  const auto& workflow = definition.workflow;
  const auto there = workflow.phase_index(way.phase);
  if (!there || !is_on_the_way(next, way.phase)) {
    return refused(next.current_phase,
                   refusal_of(RefusalKind::reopen_refused,
                              "The session cannot go back to phase " +
                                  base::in_quotes(base::shortened(way.phase, 64)),
                              "It is not on the way that led here",
                              "Name the open phase or one that counts as completed"));
  }
  if (next.visits_of(way.phase) >= base::limits::kVisitsMax) {
    return refused(next.current_phase,
                   refusal_of(RefusalKind::too_many_visits,
                              "Phase " + way.phase + " was entered " +
                                  std::to_string(next.visits_of(way.phase)) + " times",
                              "That is as often as a phase may be entered",
                              "Cancel the session and start a new one"));
  }
  Transition out;
  // What is left here was not accepted in this visit, so that only this remembers it.
  next.visits[next.current_phase] = next.visits_of(next.current_phase);
  Json reopened = Json::array();
  for (AcceptedPhase& accepted : next.accepted) {
    const auto index = workflow.phase_index(accepted.phase);
    if (accepted.reopened || (index && *index < *there)) continue;
    accepted.reopened = true;
    reopened.push_back(accepted.phase);
  }
  Json data = {{"to_phase", way.phase},
               {"option", way.feedback.option},
               {"input", way.feedback.input},
               {"no_longer_accepted", std::move(reopened)}};
  out.journal.push_back(entry("phase_reopened", next, way.feedback.by, now, data));
  next.end_reason.clear();
  enter(definition, next, out, way.phase, way.entered, way.decision_id, now);
  next.feedback = way.feedback;
  settle_waiting(definition, next);
  out.reply.kind = Reply::Kind::sent_back;
  out.reply.phase = way.phase;
  out.next = std::move(next);
  return out;
}

Transition reopen(const Definition& definition, const RunState& run, const Reopen& command,
                  TimePoint now) {
  if (auto stale = refuse_stale(run, command.version)) return refused(run.current_phase, *stale);
  constexpr RefusalKind kKind = RefusalKind::reopen_refused;
  const std::string message =
      "Phase " + base::in_quotes(base::shortened(command.phase, 64)) + " cannot be reopened";
  if (run.status == RunStatus::cancelled || run.status == RunStatus::failed) {
    return refused(run.current_phase,
                   refusal_of(kKind, message, refuse_ended(run).message, "Start a new session"));
  }
  if (run.waiting.code == "dynamic_unsupported") {
    return refused(run.current_phase,
                   refusal_of(kKind, message, run.waiting.reason, "Start a new session"));
  }
  if (base::trimmed(command.reason).empty() ||
      command.reason.size() > base::limits::kDecisionInputBytesMax) {
    return refused(run.current_phase,
                   refusal_of(kKind, message, "Whoever works on it again must be told why",
                              "Give a reason of at most " +
                                  std::to_string(base::limits::kDecisionInputBytesMax) + " bytes"));
  }
  if (command.approver.empty()) {
    return refused(run.current_phase,
                   refusal_of(RefusalKind::not_authorised, message,
                              "No approver's secret was given", "Ask an approver"));
  }
  if (is_open(run.status) && command.phase == run.current_phase && !run.decision) {
    return refused(run.current_phase,
                   refusal_of(kKind, message, "It is the phase that is open", "Go on with it"));
  }
  RunState next = run;
  ++next.version;
  next.updated_at = now;
  Transition out =
      go_back(definition, std::move(next),
              {command.phase,
               {run.current_phase, "", command.reason, "approver:" + command.approver, now},
               command.entered,
               command.decision_id},
              now);
  if (!out.next) return out;
  Json data = {{"phase", command.phase},
               {"reason", command.reason},
               {"approver", command.approver},
               {"fingerprint", command.fingerprint},
               {"channel", command.channel}};
  JournalEntry line = entry("reopen_demanded", run, "approver:" + command.approver, now, data);
  out.journal.insert(out.journal.begin(), std::move(line));
  out.reply.kind = Reply::Kind::reopened;
  return out;
}

Transition pause_run(const Definition& definition, const RunState& run, const PauseRun& command,
                     TimePoint now) {
  if (!is_open(run.status)) return refused(run.current_phase, refuse_ended(run));
  if (auto stale = refuse_stale(run, command.version)) return refused(run.current_phase, *stale);
  Transition out;
  out.reply.phase = run.current_phase;
  if (command.pause == run.paused.has_value() || run.waiting.code == "dynamic_unsupported") {
    out.reply.kind = Reply::Kind::unchanged;
    return out;
  }
  RunState next = run;
  ++next.version;
  next.updated_at = now;
  Json data = Json::object();
  if (!command.reason.empty()) data["reason"] = command.reason;
  if (command.pause) {
    next.paused = Pause{command.reason, command.actor, now};
  } else {
    data["paused_ms"] = now.ms - run.paused->at.ms;
    next.paused.reset();
  }
  settle_waiting(definition, next);
  out.journal.push_back(
      entry(command.pause ? "run_paused" : "run_resumed", next, command.actor, now, data));
  out.reply.kind = command.pause ? Reply::Kind::paused : Reply::Kind::resumed;
  out.next = std::move(next);
  return out;
}

}  // namespace phasegate::gating
