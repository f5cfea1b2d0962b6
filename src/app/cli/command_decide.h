#pragma once
#include "app/cli/invocation.h"
#include "app/cli/page.h"
#include "app/composition.h"
#include "app/environment.h"
#include "app/outcome.h"
#include "app/secret_prompt.h"

/// What a person does about a session, on a terminal of their own (ARCHITECTURE §6). Each asks on
/// the terminal and prints nothing else itself.
namespace phasegate::app::cli {

/// Shows what is to be decided, asks for the choice, and takes the decision if an approver's secret
/// is given. With `--json` it prints what would be shown and decides nothing.
[[nodiscard]] Outcome decide_session(const Invocation& invocation, Program& program,
                                     const Environment& environment, const Page& page,
                                     const Prompts& prompts);

/// Goes back to a phase by an approver's word (P-10).
[[nodiscard]] Outcome reopen_session(const Invocation& invocation, Program& program,
                                     const Environment& environment, const Page& page,
                                     const Prompts& prompts);

/// Pauses or resumes, as the invocation's command says.
[[nodiscard]] Outcome pause_session(const Invocation& invocation, Program& program,
                                    const Environment& environment, const Prompts& prompts);

}  // namespace phasegate::app::cli
