#include "app/cli/commands.h"
#include "app/cli/doubts.h"
#include "app/cli/render.h"
#include "app/cli/session_lookup.h"
#include "base/json.h"

namespace phasegate::app::cli {
namespace {

using gating::RunStatus;

ExitCode code_of(const gating::RunState& run) {
  if (run.paused && gating::is_open(run.status)) return ExitCode::session_paused;
  switch (run.status) {
    case RunStatus::active:
      return run.pending ? ExitCode::session_awaits_checks : ExitCode::session_active;
    case RunStatus::waiting:
      return run.decision ? ExitCode::session_awaits_person : ExitCode::session_waits;
    case RunStatus::completed:
      return run.partial ? ExitCode::session_partial : ExitCode::ok;
    case RunStatus::rejected:
      return ExitCode::session_rejected;
    case RunStatus::cancelled:
      return ExitCode::session_cancelled;
    case RunStatus::failed:
      return ExitCode::session_failed;
  }
  return ExitCode::not_ok;
}

}  // namespace

Outcome show_status(const Invocation& invocation, Program& program, const Page& page) {
  const std::string& options = program.settings().options_here;
  const auto id = find_session_or_newest(program.engine(), invocation.argument, options);
  if (!id) {
    return failed(ExitCode::not_ok,
                  missing_session(program.settings(), invocation.argument, id.error()));
  }
  const auto view = program.engine().view(*id);
  if (!view)
    return failed(ExitCode::not_ok,
                  missing_session(program.settings(), *id, session_error(view.error(), options)));
  const ExitCode code = invocation.exit_code ? code_of(view->run) : ExitCode::ok;
  StatusOptions how{invocation.all, invocation.argument.empty(), options};
  if (const auto approvers = program.approvers().list()) {
    how.doubts = doubts_about(program.engine(), *view, *approvers);
  }
  if (invocation.json) {
    base::Json json = status_json(*view, invocation.all, page.now);
    json["doubts"] = how.doubts;
    return {code, base::dump_pretty(json) + "\n", ""};
  }
  return {code, status_text(*view, how, page), ""};
}

}  // namespace phasegate::app::cli
