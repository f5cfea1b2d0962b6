#include "world/checks/observations.h"

namespace phasegate::world::checks {

std::string observe_start(const phases::Workflow&, const Place&) {
  return "";
}

std::string observe_entry(const phases::Phase&, const base::Json&, const Place&) {
  return "";
}

}  // namespace phasegate::world::checks
