#include "app/run.h"

#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <string_view>

#include <unistd.h>

#include "app/ask_person.h"
#include "app/cli/command_approvers.h"
#include "app/cli/command_audit.h"
#include "app/cli/command_backup.h"
#include "app/cli/command_db.h"
#include "app/cli/command_decide.h"
#include "app/cli/command_repin.h"
#include "app/cli/command_trust.h"
#include "app/cli/commands.h"
#include "app/cli/completion.h"
#include "app/cli/help.h"
#include "app/cli/page.h"
#include "app/cli/tell_now.h"
#include "app/cli/text.h"
#include "app/outcome.h"
#include "app/output.h"
#include "app/secret_prompt.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/named_commands.h"
#include "base/text.h"
#include "gating/engine/ports.h"

namespace phasegate::app {
namespace {

using cli::CommandId;

/// A place that was named and is not there is most likely mistyped; the default places may be
/// absent.
void warn_of_missing_folders(const cli::Invocation& invocation, const Environment& environment) {
  for (const std::string& folder : invocation.workflows) {
    std::error_code ignored;
    if (std::filesystem::is_directory(environment.working_folder / folder, ignored)) continue;
    write_all(STDERR_FILENO, "phasegate: --workflows " + base::in_quotes(folder) +
                                 ": there is no such folder, so no workflow comes from it\n");
  }
}

/// Commands after which people may have to be told of something.
bool changes_sessions(CommandId command) {
  switch (command) {
    case CommandId::cancel:
    case CommandId::decide:
    case CommandId::reopen:
    case CommandId::call:
      return true;
    default:
      return false;
  }
}

Outcome carry_out_with(Program& program, const cli::Invocation& invocation,
                       const Environment& environment, const cli::Page& page) {
  switch (invocation.command) {
    case CommandId::workflows:
      return cli::list_workflows(invocation, program, page);
    case CommandId::sessions:
      return cli::list_sessions(invocation, program, page);
    case CommandId::status:
      return cli::show_status(invocation, program, page);
    case CommandId::watch:
      return cli::watch(invocation, program, environment, page);
    case CommandId::history:
      return cli::show_history(invocation, program, page);
    case CommandId::export_session:
      return cli::export_session(invocation, program, environment);
    case CommandId::cancel:
      return cli::cancel_session(invocation, program);
    case CommandId::decide:
      return cli::decide_session(invocation, program, environment, page, prompts_on_terminal());
    case CommandId::reopen:
      return cli::reopen_session(invocation, program, environment, page, prompts_on_terminal());
    case CommandId::pause:
    case CommandId::resume:
      return cli::pause_session(invocation, program, environment, prompts_on_terminal());
    case CommandId::repin:
      return cli::repin_session(invocation, program, environment, page, ask_on_terminal,
                                prompts_on_terminal());
    case CommandId::trust:
      return cli::trust_workflow(invocation, program, environment, page, ask_on_terminal,
                                 prompts_on_terminal());
    case CommandId::approvers:
      return cli::change_approvers(invocation, program, environment, page, ask_on_terminal,
                                   prompts_on_terminal());
    case CommandId::work:
      return cli::work_off(program);
    case CommandId::search:
      return cli::search_documents(invocation, program, page);
    case CommandId::index:
      return cli::keep_index(invocation, program, page);
    case CommandId::call:
      return cli::call_tool(invocation, program);
    default:
      break;
  }
  return failed(ExitCode::usage, {"usage", "This command is not known here.", "", ""});
}

Outcome carry_out_with(const Settings& settings, const cli::Invocation& invocation,
                       const Environment& environment, const cli::Page& page) {
  if (invocation.command == CommandId::mcp) {
    const int code = cli::serve_mcp(settings, environment);
    return {code == 0 ? ExitCode::ok : ExitCode::not_ok, "", ""};
  }
  if (invocation.command == CommandId::serve) {
    return cli::serve(invocation, settings, environment);
  }
  if (invocation.command == CommandId::doctor) {
    return cli::doctor(invocation, settings, environment, page);
  }
  if (invocation.command == CommandId::audit) {
    return cli::audit_state(invocation, settings, environment, page, prompts_on_terminal());
  }
  if (invocation.command == CommandId::inbox) return cli::show_inbox(invocation, settings, page);
  if (invocation.command == CommandId::notify) return cli::show_notify(invocation, settings, page);
  if (invocation.command == CommandId::new_workflow) {
    return cli::make_workflow(invocation, settings, page);
  }
  if (invocation.command == CommandId::db) {
    return cli::work_on_database(invocation, settings, environment, page, ask_on_terminal,
                                 prompts_on_terminal());
  }
  if (invocation.command == CommandId::backup) {
    return cli::back_up_state(invocation, settings, environment, page);
  }
  if (invocation.command == CommandId::restore) {
    return cli::restore_state(invocation, settings, environment, page, ask_on_terminal,
                              prompts_on_terminal());
  }
  if (invocation.command == CommandId::prune) {
    return cli::prune_state(invocation, settings, environment, page, ask_on_terminal,
                            prompts_on_terminal());
  }
  if (invocation.command == CommandId::import_session) {
    return cli::import_session(invocation, settings, environment, page, ask_on_terminal,
                               prompts_on_terminal());
  }
  if (invocation.command == CommandId::complete) return cli::complete(invocation, settings, page);
  const auto program = std::make_shared<Program>(settings);
  Outcome outcome = carry_out_with(*program, invocation, environment, page);
  if (changes_sessions(invocation.command)) {
    outcome.afterwards = [program] { cli::tell_now(*program); };
  }
  return outcome;
}

/// An error whose hint names commands as they reach this project's state: what gave it does not
/// know how that was found.
Outcome with_hints_for(const Settings& settings, Outcome outcome) {
  const std::size_t hint = outcome.err.find('\n');
  if (hint == std::string::npos) return outcome;
  outcome.err =
      outcome.err.substr(0, hint) + base::with_options(std::string_view(outcome.err).substr(hint),
                                                       cli::shown(settings.options_here));
  return outcome;
}

Outcome carry_out_in_project(const cli::Invocation& invocation, const Environment& environment,
                             const cli::Page& page) {
  const auto settings = resolve(invocation, environment);
  if (!settings) {
    const bool usage = settings.error().code == "usage";
    return failed(usage ? ExitCode::usage : ExitCode::environment, settings.error());
  }
  warn_of_missing_folders(invocation, environment);
  try {
    return with_hints_for(*settings, carry_out_with(*settings, invocation, environment, page));
  } catch (const gating::engine::StoreFailure& failure) {
    return with_hints_for(*settings, failed(ExitCode::environment, failure.error()));
  }
}

Outcome help(const cli::Invocation& invocation, const cli::Page& page) {
  if (invocation.man) return {ExitCode::ok, cli::help_man(version()), ""};
  if (invocation.markdown) return {ExitCode::ok, cli::help_markdown(), ""};
  return {ExitCode::ok, cli::help_text(invocation.argument, page), ""};
}

Outcome carry_out(const cli::Invocation& invocation, const Environment& environment) {
  const cli::Page page = cli::page_of(invocation.colour, environment, base::SystemClock().now());
  switch (invocation.command) {
    case CommandId::help:
      return help(invocation, page);
    case CommandId::version:
      return {ExitCode::ok, "phasegate " + std::string(version()) + "\n", ""};
    case CommandId::completion:
      return {ExitCode::ok,
              invocation.argument == "bash" ? cli::bash_completion() : cli::zsh_completion(), ""};
    case CommandId::validate:
      return cli::validate(invocation, environment, page);
    case CommandId::gates:
      return cli::show_gates(invocation, environment, page);
    case CommandId::adopt:
      return cli::adopt(invocation, environment);
    default:
      return carry_out_in_project(invocation, environment, page);
  }
}

/// The program's outermost edge: a broken environment becomes a sentence here, never a trace.
Outcome guarded(std::span<const std::string> arguments, const Environment& environment) {
  try {
    const auto invocation = cli::parse(arguments);
    if (!invocation) return failed(ExitCode::usage, invocation.error());
    base::log_to_stderr(invocation->log_level);
    return carry_out(*invocation, environment);
  } catch (const gating::engine::StoreFailure& failure) {
    return failed(ExitCode::environment, failure.error());
  } catch (const std::bad_alloc&) {
    return failed(ExitCode::environment, {"no_memory", "There is not enough memory.", "", ""});
  } catch (const std::exception& problem) {
    return failed(
        ExitCode::environment,
        {"internal", std::string("Something went wrong that should not: ") + problem.what() + ".",
         "`phasegate doctor` shows whether the surroundings are sound.", ""});
  }
}

int write_out(const Outcome& outcome) {
  const Written written = write_all(STDOUT_FILENO, outcome.out);
  const int problem = errno;
  write_all(STDERR_FILENO, outcome.err);
  if (written == Written::failed) {
    write_all(STDERR_FILENO, std::string("phasegate: The output cannot be written: ") +
                                 std::strerror(problem) + ".\n");
    return static_cast<int>(ExitCode::environment);
  }
  return static_cast<int>(outcome.code);
}

}  // namespace

int run(std::span<const std::string> arguments, const Environment& environment) {
  const Outcome outcome = guarded(arguments, environment);
  const int code = write_out(outcome);
  if (outcome.afterwards) outcome.afterwards();
  return code;
}

}  // namespace phasegate::app
