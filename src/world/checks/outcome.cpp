#include "world/checks/outcome.h"

namespace phasegate::world::checks {

using gating::CheckOutcome;
using gating::CheckResult;

CheckResult unclear(const Ask& ask, std::string reason, std::string hint) {
  return gating::errored(ask.check, std::move(reason), std::move(hint));
}

CheckResult failed(const Ask& ask, std::string reason, std::string hint) {
  CheckResult result = unclear(ask, std::move(reason), std::move(hint));
  result.outcome = CheckOutcome::failed;
  return result;
}

CheckResult passed(const Ask& ask, std::string subject) {
  CheckResult result = unclear(ask, "");
  result.outcome = CheckOutcome::passed;
  if (!subject.empty()) result.subject = std::move(subject);
  return result;
}

}  // namespace phasegate::world::checks
