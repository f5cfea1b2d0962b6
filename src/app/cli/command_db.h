#pragma once
#include "app/cli/command_repin.h"
#include "app/cli/invocation.h"
#include "app/cli/page.h"
#include "app/composition.h"
#include "app/environment.h"
#include "app/outcome.h"
#include "app/secret_prompt.h"
#include "app/settings.h"

namespace phasegate::app::cli {

/// `phasegate db`: reads, changes, copies, restores and migrates a database of the project
/// (003-61 … 003-68). `confirm` and `restore` are a person's: they are refused where input or
/// output is no terminal, with the command for one, and once somebody is enrolled they ask for an
/// approver's secret.
[[nodiscard]] Outcome work_on_database(const Invocation& invocation, const Settings& settings,
                                       const Environment& environment, const Page& page,
                                       const AskPerson& ask, const Prompts& prompts);

/// What the parts of the command share.
struct DatabaseCall {
  const Invocation& invocation;
  const Settings& settings;
  const Environment& environment;
  const Page& page;
  const AskPerson& ask;
  const Prompts& prompts;
  std::string file;  ///< below the root
  std::string last;  ///< SQL, BACKUP or FOLDER; may be empty
};

[[nodiscard]] Outcome query_database(const DatabaseCall& call);
[[nodiscard]] Outcome change_database(const DatabaseCall& call);
[[nodiscard]] Outcome confirm_deletion(const DatabaseCall& call);
[[nodiscard]] Outcome back_up_database(const DatabaseCall& call);
[[nodiscard]] Outcome list_database_backups(const DatabaseCall& call);
[[nodiscard]] Outcome restore_database(const DatabaseCall& call);
[[nodiscard]] Outcome migrate_database(const DatabaseCall& call);

/// A refusal of world/database, with the exit code that fits.
[[nodiscard]] Outcome database_failed(const base::Error& error);
/// The refusal of what only a person may do, with the command for one; nullopt where a person could
/// confirm it: on a terminal of their own.
[[nodiscard]] std::optional<Outcome> no_person(const DatabaseCall& call, Program& program);
/// Asks `question`, and then for an approver's secret if somebody is enrolled; nullopt if both were
/// given. `otherwise` is said after a no.
[[nodiscard]] std::optional<Outcome> not_confirmed(const DatabaseCall& call, Program& program,
                                                   const std::string& question,
                                                   std::string_view otherwise);

}  // namespace phasegate::app::cli
