#include "world/checks/kinds.h"
#include "world/checks/outcome.h"

namespace phasegate::world::checks {

gating::CheckResult check_guard(const Ask& ask) {
  return unclear(ask, "this kind of check cannot be carried out yet");
}

}  // namespace phasegate::world::checks
