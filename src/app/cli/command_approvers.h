#pragma once
#include "app/cli/command_repin.h"
#include "app/cli/invocation.h"
#include "app/cli/page.h"
#include "app/composition.h"
#include "app/environment.h"
#include "app/outcome.h"
#include "app/secret_prompt.h"

namespace phasegate::app::cli {

/// `phasegate approvers [list | add NAME | remove NAME | passwd NAME]` (ARCHITECTURE §6).
/// Everything but `list` is refused where input or output is no terminal or the terminal is an
/// assistant's. The first one is enrolled by whoever sits there; afterwards each change asks for
/// the secret of somebody who is enrolled. No secret is in what is printed.
[[nodiscard]] Outcome change_approvers(const Invocation& invocation, Program& program,
                                       const Environment& environment, const Page& page,
                                       const AskPerson& ask, const Prompts& prompts);

}  // namespace phasegate::app::cli
