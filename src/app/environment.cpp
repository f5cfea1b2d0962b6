#include "app/environment.h"

#include <cstdlib>
#include <system_error>

#include <unistd.h>

#include "base/paths.h"

namespace phasegate::app {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

Environment environment_of_process() {
  std::error_code ignored;
  Environment environment;
  environment.working_folder = std::filesystem::current_path(ignored);
  environment.home = base::home_folder();
  environment.executable = std::filesystem::read_symlink("/proc/self/exe", ignored);
  environment.claude_project_dir = variable("CLAUDE_PROJECT_DIR");
  environment.phasegate_state = variable("PHASEGATE_STATE");
  environment.stdin_is_terminal = ::isatty(STDIN_FILENO) == 1;
  return environment;
}

std::string_view version() {
  return PHASEGATE_VERSION;
}

}  // namespace phasegate::app
