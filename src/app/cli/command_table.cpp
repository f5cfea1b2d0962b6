#include <algorithm>
#include <array>

#include "app/cli/invocation.h"

namespace phasegate::app::cli {
namespace {

using enum CommandId;

constexpr std::array kCommands = {
    CommandSpec{mcp, "mcp", "", "serve assistants over the Model Context Protocol (the default)",
                "Reads JSON-RPC from standard input and answers on standard output until the "
                "input ends.\nA client starts it; started by hand on a terminal it first says how "
                "to connect one."},
    CommandSpec{workflows, "workflows", "", "list the workflows that can be found here",
                "Shows every workflow of every place, the nearest place first, and whether it can "
                "be started.\nWhy one cannot be started is shown by `phasegate validate`."},
    CommandSpec{
        validate, "validate", "PATH", "check a workflow folder and show what it will ask",
        "PATH is a workflow folder, or a folder of workflow folders. Prints what its author "
        "should know,\nwith file and line, then phase by phase what must be handed over. "
        "Exit code 1 if there are errors."},
    CommandSpec{sessions, "sessions", "", "list the sessions of this project",
                "Shows the newest sessions, open or ended. `--open` shows all that are open, "
                "`--all` every one."},
    CommandSpec{status, "status", "SESSION", "show how far a session is and what it waits for",
                "Shows the phases that were reached, what their gates rest on, and what is "
                "missing.\n`--all` also shows the phases that are still to come. An assistant that "
                "reads them knows them;\nthe option is meant for people."},
    CommandSpec{history, "history", "SESSION", "show everything that has happened in a session",
                "Prints the session's journal: starts, refusals, completed phases, waits and "
                "ends."},
    CommandSpec{export_session, "export", "SESSION", "print a session as one JSON document",
                "Prints id, workflow, phases, evidence and times of a session for other "
                "programs."},
    CommandSpec{cancel, "cancel", "SESSION", "end an open session",
                "The session stays readable; it cannot go on. Its evidence is kept."},
    CommandSpec{doctor, "doctor", "", "show what is used here and whether it is sound",
                "Shows the project, the state file and the workflow places, and checks each. "
                "Changes nothing.\nExit code 1 if something is wrong."},
    CommandSpec{help, "help", "[COMMAND]", "show this, or more about a command", ""},
    CommandSpec{version, "version", "", "print the version", ""},
};

constexpr std::array kWithJson = {workflows, validate, sessions,      status,
                                  history,   doctor,   export_session};
constexpr std::array kWithAll = {sessions, status};
constexpr std::array kSessionsOnly = {sessions};
constexpr std::array kCancelOnly = {cancel};

constexpr std::array kOptions = {
    OptionSpec{"--json", "", "print data instead of text", false, false, kWithJson},
    OptionSpec{"--all", "", "everything: every session, or the phases still to come", false, false,
               kWithAll},
    OptionSpec{"--open", "", "only open sessions", false, false, kSessionsOnly},
    OptionSpec{"--reason", "TEXT", "why the session ends; kept in its history", false, false,
               kCancelOnly},
    OptionSpec{"--root",
               "DIR",
               "the project (default: CLAUDE_PROJECT_DIR, else the working directory)",
               true,
               false,
               {}},
    OptionSpec{"--state",
               "DIR",
               "where state.db lies (default: PHASEGATE_STATE, else a folder per project)",
               true,
               false,
               {}},
    OptionSpec{
        "--workflows", "DIR", "look for workflows here first; may be repeated", true, true, {}},
    OptionSpec{"--gates",
               "strict|as-written",
               "as-written honours a gate that asks for leniency, and marks it",
               true,
               false,
               {}},
    OptionSpec{"--log-level",
               "debug|info|warning|error",
               "what is logged to standard error (default: warning)",
               true,
               false,
               {}},
    OptionSpec{"--help", "", "show help", true, false, {}},
    OptionSpec{"--version", "", "print the version", true, false, {}},
};

}  // namespace

std::span<const CommandSpec> commands() {
  return kCommands;
}

std::span<const OptionSpec> options() {
  return kOptions;
}

const CommandSpec& spec_of(CommandId id) {
  return *std::find_if(kCommands.begin(), kCommands.end(),
                       [id](const CommandSpec& spec) { return spec.id == id; });
}

bool accepts(CommandId command, const OptionSpec& option) {
  return option.global || std::find(option.commands.begin(), option.commands.end(), command) !=
                              option.commands.end();
}

}  // namespace phasegate::app::cli
