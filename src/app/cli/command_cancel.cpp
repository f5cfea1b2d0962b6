#include "app/cli/commands.h"
#include "app/cli/session_lookup.h"
#include "app/cli/text.h"
#include "world/project.h"

namespace phasegate::app::cli {

Outcome cancel_session(const Invocation& invocation, Program& program) {
  const std::string& options = program.settings().options_here;
  const auto id = find_session(program.engine(), invocation.argument, options);
  if (!id) return failed(ExitCode::not_ok, id.error());
  gating::engine::CancelRequest request;
  request.run_id = *id;
  request.reason = invocation.reason.value_or("");
  request.actor = world::principal();
  const auto view = program.engine().cancel(request);
  if (!view && view.error().code == "run_ended") {
    return failed(ExitCode::not_ok,
                  {"run_ended", "Nothing to cancel. " + view.error().message + ".",
                   "`phasegate status` shows how.", ""});
  }
  if (!view) return failed(ExitCode::not_ok, session_error(view.error(), options));
  return {ExitCode::ok,
          "Cancelled session " + *id + " of " + shown(view->run.workflow) + " in phase " +
              shown(view->run.current_phase) + ".\n",
          ""};
}

}  // namespace phasegate::app::cli
