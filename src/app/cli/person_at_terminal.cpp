#include "app/cli/person_at_terminal.h"

#include "app/confirm_by_approver.h"
#include "base/clock.h"

namespace phasegate::app::cli {

std::optional<Outcome> PersonAtTerminal::missing(Program& program) const {
  if (auto own = require_own_terminal(environment, what, command); !own) {
    return failed(ExitCode::not_ok, own.error());
  }
  const base::SystemClock clock;
  const ApproverDesk desk{program.approvers(), environment, prompts, clock};
  if (auto able = can_be_confirmed(desk, what, command); !able) {
    return confirmation_failed(able.error());
  }
  return std::nullopt;
}

base::Result<std::string> PersonAtTerminal::confirm(Program& program, const std::string& question,
                                                    Outcome& otherwise) const {
  if (!ask(question)) {
    otherwise = {ExitCode::not_ok, "Nothing was changed.\n", ""};
    return base::Error{std::string(kDeclined), "Nothing was changed.", "", ""};
  }
  const base::SystemClock clock;
  const ApproverDesk desk{program.approvers(), environment, prompts, clock};
  auto actor = confirmed_actor(desk, what, command);
  if (!actor) otherwise = confirmation_failed(actor.error());
  return actor;
}

}  // namespace phasegate::app::cli
