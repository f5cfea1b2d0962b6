#include "gating/path.h"

#include <optional>
#include <string>

namespace phasegate::gating {

bool gates_lead_here(const phases::Workflow& workflow, const RunState& run) {
  const auto here = workflow.phase_index(run.current_phase);
  if (!here) return false;
  std::size_t at = 0;
  while (at < *here) {
    const AcceptedPhase* accepted = run.find_accepted(workflow.phases[at].id);
    if (accepted == nullptr) return false;
    if (accepted->went_to.empty()) {
      ++at;
      continue;
    }
    const auto next = workflow.phase_index(accepted->went_to);
    // Ways back are no way forward: what they led away from does not count.
    if (!next || *next <= at) return false;
    at = *next;
  }
  return at == *here;
}

}  // namespace phasegate::gating
