#pragma once
#include <filesystem>
#include <string>

#include "app/cli/command_repin.h"
#include "app/cli/invocation.h"
#include "app/cli/page.h"
#include "app/environment.h"
#include "app/outcome.h"
#include "app/secret_prompt.h"
#include "app/settings.h"

/// Copies of the state and what becomes of old sessions. None of them opens the store as the other
/// commands do: they are there for when it cannot be.
namespace phasegate::app::cli {

/// Copies the state, or with `--list` shows the copies.
[[nodiscard]] Outcome back_up_state(const Invocation& invocation, const Settings& settings,
                                    const Environment& environment, const Page& page);

/// Puts a copy back, or with `--set-aside` alone moves what cannot be used away. A person's, on a
/// terminal; once somebody is enrolled, an approver's.
[[nodiscard]] Outcome restore_state(const Invocation& invocation, const Settings& settings,
                                    const Environment& environment, const Page& page,
                                    const AskPerson& ask, const Prompts& prompts);

/// Removes the oldest sessions that have ended. A person's, on a terminal, if fewer are to stay
/// than the program keeps by itself.
[[nodiscard]] Outcome prune_state(const Invocation& invocation, const Settings& settings,
                                  const Environment& environment, const Page& page,
                                  const AskPerson& ask, const Prompts& prompts);

/// Writes a session to the file of `--bundle`.
[[nodiscard]] Outcome export_bundle(const std::string& session, const Invocation& invocation,
                                    const Settings& settings, const std::filesystem::path& file);

/// Takes a session in. A person's, on a terminal; once somebody is enrolled, an approver's.
[[nodiscard]] Outcome import_session(const Invocation& invocation, const Settings& settings,
                                     const Environment& environment, const Page& page,
                                     const AskPerson& ask, const Prompts& prompts);

}  // namespace phasegate::app::cli
