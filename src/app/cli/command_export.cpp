#include "app/cli/command_backup.h"
#include "app/cli/commands.h"
#include "app/cli/session_lookup.h"
#include "base/json.h"

namespace phasegate::app::cli {

Outcome export_session(const Invocation& invocation, Program& program,
                       const Environment& environment) {
  const std::string& options = program.settings().options_here;
  const auto id = find_session(program.engine(), invocation.argument, options);
  if (!id) {
    return failed(ExitCode::not_ok,
                  missing_session(program.settings(), invocation.argument, id.error()));
  }
  if (invocation.bundle) {
    return export_bundle(*id, invocation, program.settings(),
                         environment.working_folder / *invocation.bundle);
  }
  const auto document = program.engine().export_session(*id);
  if (!document)
    return failed(ExitCode::not_ok, missing_session(program.settings(), *id,
                                                    session_error(document.error(), options)));
  return {ExitCode::ok, base::dump_pretty(**document) + "\n", ""};
}

}  // namespace phasegate::app::cli
