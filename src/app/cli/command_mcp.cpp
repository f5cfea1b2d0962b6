#include <unistd.h>

#include "app/cli/assistant_tools.h"
#include "app/cli/commands.h"
#include "app/cli/connect_help.h"
#include "app/output.h"
#include "base/clock.h"
#include "base/ids.h"
#include "mcp/protocol/server.h"
#include "mcp/protocol/stdio.h"
#include "mcp/tools/tools.h"
#include "world/project.h"

namespace phasegate::app::cli {

int serve_mcp(const Settings& settings, const Environment& environment) {
  if (environment.stdin_is_terminal) {
    write_all(STDERR_FILENO, connect_help(environment.executable, settings.client_arguments));
  }
  Program program(settings);
  const auto tools = assistant_tools(program);

  mcp::protocol::ServerInfo info;
  info.name = "phasegate";
  info.title = "phasegate";
  info.version = version();
  info.instructions = mcp::tools::instructions();
  mcp::protocol::Subscriptions subscriptions;
  mcp::protocol::RequestSeal seal([] { return base::random_bytes(32); });
  base::SystemClock clock;
  base::SystemIdSource ids;
  mcp::protocol::Server server(info, {*tools, subscriptions, seal, clock, ids});
  return mcp::protocol::serve_stdio(server, world::principal(), STDIN_FILENO, STDOUT_FILENO);
}

}  // namespace phasegate::app::cli
