#include "world/checks/environment.h"

#include <cstdlib>

namespace phasegate::world::checks {

std::vector<std::string> filtered_environment() {
  std::vector<std::string> kept;
  for (const char* name : {"HOME", "LANG", "PATH"}) {
    if (const char* value = std::getenv(name)) kept.push_back(std::string(name) + "=" + value);
  }
  return kept;
}

}  // namespace phasegate::world::checks
