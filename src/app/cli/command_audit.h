#pragma once
#include "app/cli/invocation.h"
#include "app/cli/page.h"
#include "app/environment.h"
#include "app/outcome.h"
#include "app/secret_prompt.h"
#include "app/settings.h"

namespace phasegate::app::cli {

/// `phasegate audit`: verifies histories, prints a report of one, begins a new key, or lets the
/// state be used as it is. The first two only read, and open no store for anything else. Throws
/// StoreFailure where the state cannot be read.
[[nodiscard]] Outcome audit_state(const Invocation& invocation, const Settings& settings,
                                  const Environment& environment, const Page& page,
                                  const Prompts& prompts);

}  // namespace phasegate::app::cli
