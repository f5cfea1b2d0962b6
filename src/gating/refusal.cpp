#include "gating/transition.h"
#include "gating/visibility.h"

namespace phasegate::gating {

std::string_view to_text(RefusalKind kind) {
  switch (kind) {
    case RefusalKind::phase_sequence_violation:
      return "phase_sequence_violation";
    case RefusalKind::incomplete_checkpoint:
      return "incomplete_checkpoint";
    case RefusalKind::checks_failed:
      return "checks_failed";
    case RefusalKind::verifying:
      return "verifying";
    case RefusalKind::superseded:
      return "superseded";
    case RefusalKind::decision_required:
      return "decision_required";
    case RefusalKind::run_ended:
      return "run_ended";
    case RefusalKind::run_waiting:
      return "run_waiting";
    case RefusalKind::stale_version:
      return "stale_version";
    case RefusalKind::wrong_visit:
      return "wrong_visit";
    case RefusalKind::repin_refused:
      return "repin_refused";
    case RefusalKind::decision_closed:
      return "decision_closed";
    case RefusalKind::invalid_decision:
      return "invalid_decision";
    case RefusalKind::not_authorised:
      return "not_authorised";
    case RefusalKind::paused:
      return "paused";
    case RefusalKind::reopen_refused:
      return "reopen_refused";
    case RefusalKind::too_many_visits:
      return "too_many_visits";
  }
  return "refused";
}

std::optional<Refusal> refuse_reading(const Definition& definition, const RunState& run,
                                      std::string_view phase) {
  const Visible shown = visible(definition.workflow, run);
  if (shown.phase(phase)) return std::nullopt;
  Refusal refusal;
  refusal.kind = RefusalKind::phase_sequence_violation;
  refusal.message = "Cannot access Phase " + std::string(phase);
  if (is_open(run.status) && run.waiting.code != "dynamic_unsupported") {
    refusal.reason = "Currently on Phase " + run.current_phase;
    refusal.required_action = "Complete Phase " + run.current_phase + " checkpoint first";
  } else {
    refusal.reason = is_open(run.status)
                         ? run.waiting.reason
                         : "The session has ended: " + std::string(to_text(run.status));
    refusal.required_action = "Only the phases this session has reached can be read";
  }
  return refusal;
}

}  // namespace phasegate::gating
