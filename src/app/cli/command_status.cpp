#include "app/cli/commands.h"
#include "app/cli/render.h"
#include "app/cli/session_lookup.h"
#include "base/json.h"

namespace phasegate::app::cli {

Outcome show_status(const Invocation& invocation, Program& program) {
  const std::string& options = program.settings().options_here;
  const auto id = find_session(program.engine(), invocation.argument, options);
  if (!id) return failed(ExitCode::not_ok, id.error());
  const auto view = program.engine().view(*id);
  if (!view) return failed(ExitCode::not_ok, session_error(view.error(), options));
  if (invocation.json) {
    return {ExitCode::ok, base::dump_pretty(status_json(*view, invocation.all)) + "\n", ""};
  }
  return {ExitCode::ok, status_text(*view, invocation.all, options), ""};
}

}  // namespace phasegate::app::cli
