#pragma once
#include <functional>
#include <string>

#include "app/cli/invocation.h"
#include "app/cli/page.h"
#include "app/composition.h"
#include "app/environment.h"
#include "app/outcome.h"
#include "app/secret_prompt.h"

namespace phasegate::app::cli {

/// Shows a text that ends in a question and says whether the answer was yes.
using AskPerson = std::function<bool(const std::string& question)>;

/// Shows what is different in a session's workflow as it is now, asks, and pins the session to it
/// (ARCHITECTURE §6). Refused where input or output is no terminal, with the command for a person;
/// once somebody is enrolled an approver is asked for the secret, too.
[[nodiscard]] Outcome repin_session(const Invocation& invocation, Program& program,
                                    const Environment& environment, const Page& page,
                                    const AskPerson& ask, const Prompts& prompts);

}  // namespace phasegate::app::cli
