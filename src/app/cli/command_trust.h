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

/// Shows what a workflow would run in this project and asks whether it may; with `--revoke` takes
/// that back, with `--list` shows what is trusted. `ask` shows a question and is true for yes.
/// Trusting and taking back are a person's, so both want a terminal; once somebody is enrolled,
/// trusting is an approver's, who is asked for the secret (ARCHITECTURE §5, §6).
[[nodiscard]] Outcome trust_workflow(const Invocation& invocation, Program& program,
                                     const Environment& environment, const Page& page,
                                     const std::function<bool(const std::string&)>& ask,
                                     const Prompts& prompts);

}  // namespace phasegate::app::cli
