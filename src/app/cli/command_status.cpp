#include "app/cli/commands.h"
#include "app/cli/render.h"
#include "app/cli/session_lookup.h"
#include "base/json.h"

namespace phasegate::app::cli {

Outcome show_status(const Invocation& invocation, Program& program, const Page& page) {
  const std::string& options = program.settings().options_here;
  const auto id = find_session_or_newest(program.engine(), invocation.argument, options);
  if (!id) return failed(ExitCode::not_ok, id.error());
  const auto view = program.engine().view(*id);
  if (!view) return failed(ExitCode::not_ok, session_error(view.error(), options));
  if (invocation.json) {
    return {ExitCode::ok, base::dump_pretty(status_json(*view, invocation.all)) + "\n", ""};
  }
  const StatusOptions how{invocation.all, invocation.argument.empty(), options};
  return {ExitCode::ok, status_text(*view, how, page), ""};
}

}  // namespace phasegate::app::cli
