#pragma once
#include "app/cli/invocation.h"
#include "app/composition.h"
#include "app/environment.h"
#include "app/outcome.h"
#include "app/settings.h"

/// One function per command. Each says what is to be printed and prints nothing itself, except
/// `mcp`, which serves. A store that cannot be used throws StoreFailure through all of them.
namespace phasegate::app::cli {

/// Serves on standard input and output until the input ends; the process's exit code.
[[nodiscard]] int serve_mcp(const Settings& settings, const Environment& environment);

[[nodiscard]] Outcome list_workflows(const Invocation& invocation, Program& program);
/// Needs no project: it looks at the named folder only.
[[nodiscard]] Outcome validate(const Invocation& invocation, const Environment& environment);
[[nodiscard]] Outcome list_sessions(const Invocation& invocation, Program& program);
[[nodiscard]] Outcome show_status(const Invocation& invocation, Program& program);
[[nodiscard]] Outcome show_history(const Invocation& invocation, Program& program);
[[nodiscard]] Outcome export_session(const Invocation& invocation, Program& program);
[[nodiscard]] Outcome cancel_session(const Invocation& invocation, Program& program);
[[nodiscard]] Outcome doctor(const Invocation& invocation, const Settings& settings,
                             const Environment& environment);

}  // namespace phasegate::app::cli
