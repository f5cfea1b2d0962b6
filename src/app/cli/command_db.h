#pragma once
#include "app/cli/command_repin.h"
#include "app/cli/invocation.h"
#include "app/cli/page.h"
#include "app/environment.h"
#include "app/outcome.h"
#include "app/settings.h"

namespace phasegate::app::cli {

/// `phasegate db`: reads, changes, copies, restores and migrates a database of the project
/// (003-61 … 003-68). `confirm` and `restore` are a person's and refused where input or output is
/// no terminal, with the command for one.
[[nodiscard]] Outcome work_on_database(const Invocation& invocation, const Settings& settings,
                                       const Environment& environment, const Page& page,
                                       const AskPerson& ask);

/// What the parts of the command share.
struct DatabaseCall {
  const Invocation& invocation;
  const Settings& settings;
  const Environment& environment;
  const Page& page;
  const AskPerson& ask;
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
/// The refusal of what only a person may do, with the command for one; nullopt on a terminal.
[[nodiscard]] std::optional<Outcome> no_terminal(const DatabaseCall& call);

}  // namespace phasegate::app::cli
