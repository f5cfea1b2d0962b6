#include "world/checks/junit_report.h"

namespace phasegate::world::checks {

base::Result<JunitReport> parse_junit(std::string_view) {
  return base::Error{"invalid_report", "JUnit reports cannot be read yet", "", ""};
}

}  // namespace phasegate::world::checks
