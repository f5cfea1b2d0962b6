#pragma once
#include <string>
#include <string_view>

#include "app/cli/invocation.h"

/// Scripts by which a shell completes commands, made from the one table in command_table.cpp. What
/// only the project knows, ids of sessions and workflows, they ask `phasegate complete` for.
namespace phasegate::app::cli {

[[nodiscard]] std::string bash_completion();
[[nodiscard]] std::string zsh_completion();

/// What stands behind an argument's or a value's word.
enum class Wanted {
  nothing,          ///< free text, a number
  choice,           ///< one of the words of `bash|zsh`
  folder,           ///< DIR
  file,             ///< FILE
  session,          ///< SESSION of any state
  open_session,     ///< SESSION where only an open one makes sense
  waiting_session,  ///< SESSION that waits for a decision
  workflow,         ///< ID
  path_or_workflow,
  built_in,  ///< a workflow that the program carries
  tool,      ///< TOOL: what an assistant may call
  command,
};
[[nodiscard]] Wanted wanted_by(const CommandSpec& command);
[[nodiscard]] Wanted wanted_by(const OptionSpec& option);

/// The argument of `phasegate complete` that lists it; empty: it is not asked for there.
[[nodiscard]] std::string_view list_of(Wanted wanted);

}  // namespace phasegate::app::cli
