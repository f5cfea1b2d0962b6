#pragma once
#include "app/cli/invocation.h"
#include "app/cli/page.h"
#include "app/composition.h"
#include "app/environment.h"
#include "app/outcome.h"
#include "app/settings.h"

/// One function per command. Each says what is to be printed and prints nothing itself, except
/// `mcp` and `serve`, which serve, and `watch`, which goes on. A store that cannot be used throws
/// StoreFailure through all of them.
namespace phasegate::app::cli {

/// Serves on standard input and output until the input ends; the process's exit code.
[[nodiscard]] int serve_mcp(const Settings& settings, const Environment& environment);

/// Serves over HTTP until it is told to end by SIGINT or SIGTERM, which is no error.
[[nodiscard]] Outcome serve(const Invocation& invocation, Settings settings,
                            const Environment& environment);

[[nodiscard]] Outcome list_workflows(const Invocation& invocation, Program& program,
                                     const Page& page);
[[nodiscard]] Outcome make_workflow(const Invocation& invocation, const Settings& settings,
                                    const Page& page);
/// Needs a project only where no path is named.
[[nodiscard]] Outcome validate(const Invocation& invocation, const Environment& environment,
                               const Page& page);
/// Needs no project.
[[nodiscard]] Outcome show_gates(const Invocation& invocation, const Environment& environment,
                                 const Page& page);
/// Needs a project only where a workflow is named instead of a path.
[[nodiscard]] Outcome adopt(const Invocation& invocation, const Environment& environment);
[[nodiscard]] Outcome list_sessions(const Invocation& invocation, Program& program,
                                    const Page& page);
[[nodiscard]] Outcome show_status(const Invocation& invocation, Program& program, const Page& page);
/// Writes to standard output by itself until the session ends, somebody asks it to end (Ctrl-C,
/// which is no error) or the reader goes away.
[[nodiscard]] Outcome watch(const Invocation& invocation, Program& program,
                            const Environment& environment, const Page& page);
[[nodiscard]] Outcome show_history(const Invocation& invocation, Program& program,
                                   const Page& page);
[[nodiscard]] Outcome export_session(const Invocation& invocation, Program& program,
                                     const Environment& environment);
/// Everything that waits for a person; only reads, and opens no store for anything else.
[[nodiscard]] Outcome show_inbox(const Invocation& invocation, const Settings& settings,
                                 const Page& page);
[[nodiscard]] Outcome cancel_session(const Invocation& invocation, Program& program);
/// Carries out what sessions wait for; prints by itself what came of each.
[[nodiscard]] Outcome work_off(Program& program);
/// Who is told of what; needs no store.
[[nodiscard]] Outcome show_notify(const Invocation& invocation, const Settings& settings,
                                  const Page& page);
/// The passages of the project's documents that answer best; exit code 1 if there are none.
[[nodiscard]] Outcome search_documents(const Invocation& invocation, Program& program,
                                       const Page& page);
/// Brings the search index up to date, makes it anew, or only looks at it.
[[nodiscard]] Outcome keep_index(const Invocation& invocation, Program& program, const Page& page);
/// Calls one of the assistant's tools.
[[nodiscard]] Outcome call_tool(const Invocation& invocation, Program& program);
[[nodiscard]] Outcome doctor(const Invocation& invocation, const Settings& settings,
                             const Environment& environment, const Page& page);
/// Names for a completion script.
[[nodiscard]] Outcome complete(const Invocation& invocation, const Settings& settings,
                               const Page& page);

}  // namespace phasegate::app::cli
