#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/connect_help.h"
#include "app/output.h"
#include "app/serving.h"
#include "mcp/protocol/stdio.h"
#include "world/project.h"

namespace phasegate::app::cli {

int serve_mcp(const Settings& settings, const Environment& environment) {
  if (environment.stdin_is_terminal) {
    write_all(STDERR_FILENO, connect_help(environment.executable, settings.client_arguments));
  }
  Serving serving(settings, 1);
  return mcp::protocol::serve_stdio(serving.server(), world::principal(), STDIN_FILENO,
                                    STDOUT_FILENO);
}

}  // namespace phasegate::app::cli
