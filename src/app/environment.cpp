#include "app/environment.h"

#include <charconv>
#include <cstdlib>
#include <system_error>

#include <sys/ioctl.h>
#include <unistd.h>

#include "app/assistant_environment.h"
#include "base/paths.h"

namespace phasegate::app {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::size_t columns_of_output() {
  constexpr std::size_t kColumnsMax = 10'000;
  const std::string typed = variable("COLUMNS");
  std::size_t columns = 0;
  const char* end = typed.data() + typed.size();
  const auto read = std::from_chars(typed.data(), end, columns);
  if (read.ec == std::errc() && read.ptr == end && columns <= kColumnsMax) return columns;
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0U;
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
  environment.assistant_variable = assistant_variable();
  environment.stdin_is_terminal = ::isatty(STDIN_FILENO) == 1;
  environment.stdout_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  environment.columns = columns_of_output();
  environment.no_color = !variable("NO_COLOR").empty();
  environment.terminal_kind = variable("TERM");
  return environment;
}

std::string_view version() {
  return PHASEGATE_VERSION;
}

}  // namespace phasegate::app
