#include "gating/transition.h"

#include <algorithm>

#include "base/json.h"
#include "gating/due.h"
#include "gating/repin.h"
#include "gating/transition_parts.h"

namespace phasegate::gating {

using base::TimePoint;

namespace {

Transition cancel(const RunState& run, const Cancel& command, TimePoint now) {
  if (!is_open(run.status)) return refused(run.current_phase, refuse_ended(run));
  if (auto stale = refuse_stale(run, command.version)) return refused(run.current_phase, *stale);
  Transition out;
  RunState next = run;
  ++next.version;
  next.updated_at = now;
  next.status = RunStatus::cancelled;
  next.waiting = {};
  next.pending.reset();
  next.decision.reset();
  next.paused.reset();
  next.missing.clear();
  next.end_reason = command.reason.empty() ? "Cancelled by " + command.actor : command.reason;
  base::Json data{{"reason", next.end_reason}};
  if (!command.channel.empty()) {
    data["channel"] = command.channel;
    data["assurance"] = "unauthenticated";
  }
  out.journal.push_back(entry("run_cancelled", next, command.actor, now, std::move(data)));
  out.effects.push_back(notify(next, "run_cancelled", base::Json::object(), now));
  out.reply.kind = Reply::Kind::cancelled;
  out.reply.phase = run.current_phase;
  out.next = std::move(next);
  return out;
}

/// State version and time of change stay: it is no change of what somebody has seen.
Transition note_untold(const RunState& run, const Untold& untold, TimePoint now) {
  Transition out;
  out.reply.kind = Reply::Kind::unchanged;
  out.reply.phase = run.current_phase;
  out.journal.push_back(
      entry("notification_lost", run, std::string(kEngine), now,
            {{"event", untold.event}, {"target", untold.target}, {"reason", untold.reason}}));
  out.next = run;
  return out;
}

/// What the command does, but for the time at which the run is due to be looked at again.
Transition without_due(const Definition& definition, const RunState& run, const Command& command,
                       TimePoint moment) {
  if (const auto* evidence = std::get_if<SubmitEvidence>(&command)) {
    return submit(definition, run, *evidence, moment);
  }
  if (const auto* finished = std::get_if<ChecksFinished>(&command)) {
    return finish_checks(definition, run, *finished, moment);
  }
  if (const auto* repin = std::get_if<Repin>(&command)) {
    if (auto stale = refuse_stale(run, repin->version)) return refused(run.current_phase, *stale);
    return repinned(definition, run, *repin, moment);
  }
  if (const auto* decision = std::get_if<Decide>(&command)) {
    return answer_decision(definition, run, *decision, moment);
  }
  if (const auto* back = std::get_if<Reopen>(&command)) {
    return reopen(definition, run, *back, moment);
  }
  if (const auto* pause = std::get_if<PauseRun>(&command)) {
    return pause_run(definition, run, *pause, moment);
  }
  if (std::holds_alternative<Tick>(command)) return tick(definition, run, moment);
  if (const auto* untold = std::get_if<Untold>(&command)) return note_untold(run, *untold, moment);
  return cancel(run, std::get<Cancel>(command), moment);
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
  run.entered_at = now;
  run.trust = start.trust;
  run.started = keep_blob(out, start.started);
  run.entered = keep_blob(out, start.entered);
  out.journal.push_back(entry("run_started", run, start.principal, now,
                              {{"workflow", run.workflow},
                               {"definition", run.definition_hash},
                               {"target", run.target},
                               {"gates", to_text(run.gates)}}));
  out.journal.push_back(entry("phase_entered", run, std::string(kEngine), now));
  ask_at_entry(definition, run, out, start.decision_id, now);
  run.due_at = due_at(definition, run);
  out.reply.kind = Reply::Kind::started;
  out.reply.phase = run.current_phase;
  out.next = std::move(run);
  return out;
}

Transition transition(const Definition& definition, const RunState& run, const Command& command,
                      TimePoint now) {
  Transition out = without_due(definition, run, command, std::max(now, run.updated_at));
  const bool for_time =
      std::holds_alternative<Tick>(command) || std::holds_alternative<Untold>(command);
  if (!out.next || for_time) return out;
  const auto* repin = std::get_if<Repin>(&command);
  out.next->told_stalled = false;
  out.next->due_at = due_at(repin != nullptr ? *repin->definition : definition, *out.next);
  return out;
}

}  // namespace phasegate::gating
