#include "gating/due.h"

#include <algorithm>

#include "base/json.h"
#include "base/limits.h"
#include "gating/transition_parts.h"
#include "phases/decision.h"

namespace phasegate::gating {

using base::TimePoint;

namespace {

/// The demand of the open decision, if anybody is to be reminded of it.
std::optional<phases::DecisionDemand> to_be_reminded_of(const Definition& definition,
                                                        const RunState& run) {
  if (!is_open(run.status) || !run.decision || run.paused) return std::nullopt;
  const phases::Phase* phase = definition.workflow.find_phase(run.current_phase);
  if (phase == nullptr) return std::nullopt;
  auto demand = phases::decision_demand(*phase);
  if (!demand || demand->remind_after_ms <= 0) return std::nullopt;
  return demand;
}

/// Each time after twice as long as the last, up to a day: who has not reacted to ten reminders is
/// not helped by a hundred.
TimePoint reminder_due(const OpenDecision& decision, std::int64_t after_ms) {
  constexpr std::int64_t kDay = std::int64_t{24} * 60 * 60 * 1000;
  const std::int64_t longest = std::max(after_ms, kDay);
  std::int64_t wait = after_ms;
  for (int i = 0; i < decision.reminders && wait < longest; ++i) wait *= 2;
  const TimePoint last = decision.reminders > 0 ? decision.reminded_at : decision.opened_at;
  return {last.ms + std::min(wait, longest)};
}

bool may_stall(const RunState& run) {
  return run.status == RunStatus::active && !run.pending && !run.told_stalled;
}

void remind(const phases::DecisionDemand& demand, RunState& next, Transition& out, TimePoint now) {
  OpenDecision& decision = *next.decision;
  ++decision.reminders;
  decision.reminded_at = now;
  out.journal.push_back(entry("decision_reminded", next, std::string(kEngine), now,
                              {{"decision", decision.id}, {"reminders", decision.reminders}}));
  out.effects.push_back(notify(next, "decision_reminded",
                               {{"decision", decision.id},
                                {"prompt", demand.prompt},
                                {"open_for_ms", now.ms - decision.opened_at.ms}},
                               now));
}

void tell_stalled(RunState& next, Transition& out, TimePoint now) {
  const std::int64_t idle_ms = now.ms - next.updated_at.ms;
  next.told_stalled = true;
  out.journal.push_back(
      entry("run_stalled", next, std::string(kEngine), now, {{"idle_ms", idle_ms}}));
  out.effects.push_back(notify(next, "run_stalled", {{"idle_ms", idle_ms}}, now));
}

}  // namespace

bool is_stalled(const RunState& run, TimePoint now) {
  return run.status == RunStatus::active && !run.pending &&
         now.ms - run.updated_at.ms >= base::limits::kStalledAfterMs;
}

std::optional<TimePoint> due_at(const Definition& definition, const RunState& run) {
  if (const auto demand = to_be_reminded_of(definition, run)) {
    return reminder_due(*run.decision, demand->remind_after_ms);
  }
  if (may_stall(run)) return TimePoint{run.updated_at.ms + base::limits::kStalledAfterMs};
  return std::nullopt;
}

Transition tick(const Definition& definition, const RunState& run, TimePoint now) {
  Transition out;
  out.reply.kind = Reply::Kind::unchanged;
  out.reply.phase = run.current_phase;
  // Neither is a change of what somebody has seen: state version and time of change stay, so that
  // nobody is refused because time has passed.
  RunState next = run;
  if (const auto demand = to_be_reminded_of(definition, run)) {
    if (reminder_due(*run.decision, demand->remind_after_ms).ms <= now.ms) {
      remind(*demand, next, out, now);
    }
  } else if (may_stall(run) && is_stalled(run, now)) {
    tell_stalled(next, out, now);
  }
  next.due_at = due_at(definition, next);
  // A stored time that is not (any more) the right one is put right, or it would be due for ever.
  if (next != run) out.next = std::move(next);
  return out;
}

}  // namespace phasegate::gating
