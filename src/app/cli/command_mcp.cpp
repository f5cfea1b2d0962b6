#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/connect_help.h"
#include "app/output.h"
#include "app/serving.h"
#include "base/limits.h"
#include "mcp/protocol/stdio.h"
#include "world/project.h"

namespace phasegate::app::cli {

int serve_mcp(const Settings& settings, const Environment& environment) {
  if (environment.stdin_is_terminal) {
    write_all(STDERR_FILENO, connect_help(environment.executable, settings.client_arguments));
  }
  // A call that waits for checks keeps its desk; one desk is all that most clients need.
  Serving serving(settings, base::limits::kDesksMax);
  return mcp::protocol::serve_stdio(serving.server(), world::principal(), STDIN_FILENO,
                                    STDOUT_FILENO);
}

}  // namespace phasegate::app::cli
