#include "app/cli/completion.h"

namespace phasegate::app::cli {

Wanted wanted_by(const CommandSpec& command) {
  const std::string_view word = without_brackets(command.argument);
  if (is_choice(word)) return Wanted::choice;
  if (word == "SESSION") {
    if (command.id == CommandId::decide) return Wanted::waiting_session;
    const bool open = command.id == CommandId::cancel || command.id == CommandId::repin ||
                      command.id == CommandId::watch || command.id == CommandId::pause ||
                      command.id == CommandId::resume;
    return open ? Wanted::open_session : Wanted::session;
  }
  if (word == "PATH|NAME") return Wanted::path_or_workflow;
  if (word == "FILE..." || word == "PATH...") return Wanted::file;
  if (word == "TOOL") return Wanted::tool;
  if (word == "COMMAND") return Wanted::command;
  return Wanted::nothing;
}

Wanted wanted_by(const OptionSpec& option) {
  if (is_choice(option.value)) return Wanted::choice;
  if (option.value == "DIR") return Wanted::folder;
  if (option.value == "FILE") return Wanted::file;
  if (option.name == "--from") return Wanted::built_in;
  if (option.value == "ID") return Wanted::workflow;
  return Wanted::nothing;
}

std::string_view list_of(Wanted wanted) {
  switch (wanted) {
    case Wanted::session:
      return "sessions";
    case Wanted::open_session:
      return "open-sessions";
    case Wanted::waiting_session:
      return "waiting-sessions";
    case Wanted::workflow:
    case Wanted::path_or_workflow:
      return "workflows";
    case Wanted::built_in:
      return "built-in";
    case Wanted::tool:
      return "tools";
    case Wanted::nothing:
    case Wanted::choice:
    case Wanted::folder:
    case Wanted::file:
    case Wanted::command:
      return "";
  }
  return "";
}

}  // namespace phasegate::app::cli
