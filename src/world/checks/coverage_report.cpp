#include "world/checks/coverage_report.h"

namespace phasegate::world::checks {

base::Result<Coverage> parse_coverage(std::string_view, CoverageOf, std::optional<CoverageFormat>) {
  return base::Error{"invalid_report", "coverage reports cannot be read yet", "", ""};
}

}  // namespace phasegate::world::checks
