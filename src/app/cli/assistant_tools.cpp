#include "app/cli/assistant_tools.h"

#include "app/cli/text.h"
#include "mcp/tools/tools.h"
#include "world/project.h"

namespace phasegate::app::cli {

std::unique_ptr<mcp::protocol::Service> assistant_tools(Program& program) {
  const Settings& settings = program.settings();
  mcp::tools::ToolContext context;
  context.root = settings.root.string();
  context.principal = world::principal();
  // What a person types must reach what this server serves, its workflows included.
  for (std::size_t i = 1; i < settings.client_arguments.size(); ++i) {
    context.command_options += " " + shell_word(settings.client_arguments[i]);
  }
  context.decision_page = settings.decision_page;
  context.search = &program.search();
  return mcp::tools::make_tools(program.engine(), std::move(context));
}

}  // namespace phasegate::app::cli
