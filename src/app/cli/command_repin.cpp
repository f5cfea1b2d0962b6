#include "app/cli/command_repin.h"

#include "app/cli/person_at_terminal.h"
#include "app/cli/render_repin.h"
#include "app/cli/session_lookup.h"
#include "app/cli/text.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

base::Error for_people(base::Error error, const std::string& workflow, const std::string& options) {
  if (error.code == "not_startable") {
    return {"not_startable", "The files of " + base::in_quotes(workflow) + " have errors.",
            "`phasegate validate " + shell_word(workflow) + options + "` shows them.", ""};
  }
  if (error.code == "unknown_workflow") {
    return {"unknown_workflow",
            "There is no workflow " + base::in_quotes(workflow) + " here any more.",
            "The session goes on as it is.", ""};
  }
  return session_error(std::move(error), options);
}

}  // namespace

Outcome repin_session(const Invocation& invocation, Program& program,
                      const Environment& environment, const Page& page, const AskPerson& ask,
                      const Prompts& prompts) {
  const Settings& settings = program.settings();
  const std::string& options = settings.options_here;
  const auto id = find_session(program.engine(), invocation.argument, options);
  if (!id) return failed(ExitCode::not_ok, id.error());
  const PersonAtTerminal person{environment, ask, prompts,
                                "Whether a session goes over to a changed workflow",
                                "phasegate repin " + *id + settings.options_anywhere};
  // The difference tells of phases that an assistant has not reached, so it is not shown either.
  if (auto refused = person.missing(program)) return *std::move(refused);
  gating::engine::Engine& engine = program.engine();
  const auto view = engine.view(*id);
  if (!view) return failed(ExitCode::not_ok, session_error(view.error(), options));
  const std::string workflow = view->run.workflow;
  const auto repin = engine.repin_view(*id);
  if (!repin) return failed(ExitCode::not_ok, for_people(repin.error(), workflow, options));
  std::string text = repin_text(*repin, page);
  if (const auto& refusal = repin->difference.refusal) {
    Outcome outcome =
        failed(ExitCode::not_ok, {"repin_refused", refusal->message + ": " + refusal->reason + ".",
                                  refusal->required_action + ".", ""});
    outcome.out = std::move(text);
    return outcome;
  }
  if (repin->difference.same) return {ExitCode::ok, std::move(text), ""};
  Outcome otherwise;
  const auto actor =
      person.confirm(program, text + "\nGo over to the changed workflow? [y/N] ", otherwise);
  if (!actor) return otherwise;
  gating::engine::RepinRequest request;
  request.run_id = *id;
  request.changed_hash = repin->changed->hash;
  request.version = repin->view.run.version;
  request.actor = *actor;
  const auto done = engine.repin(request);
  if (!done) return failed(ExitCode::not_ok, for_people(done.error(), workflow, options));
  return {ExitCode::ok,
          "Session " + *id + " goes on with the changed workflow, in phase " +
              shown(done->run.current_phase) + ". The assistant sees it with its next call.\n",
          ""};
}

}  // namespace phasegate::app::cli
