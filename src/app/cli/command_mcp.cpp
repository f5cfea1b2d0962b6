#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/connect_help.h"
#include "app/cli/text.h"
#include "app/output.h"
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
  mcp::tools::ToolContext context;
  context.root = settings.root.string();
  context.principal = world::principal();
  // What a person types must reach what this server serves, its workflows included.
  for (std::size_t i = 1; i < settings.client_arguments.size(); ++i) {
    context.command_options += " " + shell_word(settings.client_arguments[i]);
  }
  const auto tools = mcp::tools::make_tools(program.engine(), std::move(context));

  mcp::protocol::ServerInfo info;
  info.name = "phasegate";
  info.title = "phasegate";
  info.version = version();
  info.instructions = mcp::tools::instructions();
  mcp::protocol::Server server(info, *tools);
  return mcp::protocol::serve_stdio(server, STDIN_FILENO, STDOUT_FILENO);
}

}  // namespace phasegate::app::cli
