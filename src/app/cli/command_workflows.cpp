#include "app/cli/commands.h"
#include "app/cli/elsewhere.h"
#include "app/cli/render.h"
#include "base/json.h"

namespace phasegate::app::cli {

Outcome list_workflows(const Invocation& invocation, Program& program, const Page& page) {
  const auto found = program.engine().workflows();
  if (invocation.json) {
    return {ExitCode::ok, base::dump_pretty(workflows_json(found, program.place_findings())) + "\n",
            ""};
  }
  const WorkflowNotes notes{program.place_findings(), program.settings().places,
                            workflows_elsewhere(program.settings())};
  return {ExitCode::ok, workflows_text(found, notes, page), ""};
}

}  // namespace phasegate::app::cli
