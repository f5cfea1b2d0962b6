#include "app/cli/command_decide.h"
#include "app/cli/decision_input.h"
#include "app/cli/layout.h"
#include "app/cli/option_values.h"
#include "app/cli/session_lookup.h"
#include "app/cli/text.h"
#include "app/confirm_by_approver.h"
#include "base/text.h"
#include "world/project.h"

namespace phasegate::app::cli {
namespace {

using base::Error;
using gating::engine::RunView;

constexpr std::string_view kReopening = "Going back to a phase";

/// The phases whose completion would count no more.
std::vector<std::string> no_longer_accepted(const RunView& view, std::size_t from) {
  std::vector<std::string> phases;
  for (const gating::AcceptedPhase* accepted : view.run.completed()) {
    const auto index = view.workflow().phase_index(accepted->phase);
    if (!index || *index >= from) phases.push_back(shown_value(accepted->phase));
  }
  return phases;
}

/// The phases that it can go back to, in the order of their completion.
std::string ways_back(const gating::RunState& run) {
  std::vector<std::string> phases;
  for (const gating::AcceptedPhase* accepted : run.completed()) {
    phases.push_back(shown_value(accepted->phase));
  }
  const bool here = run.decision || !gating::is_open(run.status);
  if (here && run.find_accepted(run.current_phase) == nullptr) {
    phases.push_back(shown_value(run.current_phase));
  }
  return phases.empty() ? "none yet" : base::joined(phases, ", ");
}

std::string reopen_text(const RunView& view, const std::string& phase, const std::string& reason,
                        const Page& page) {
  const std::size_t from = view.workflow().phase_index(phase).value_or(0);
  const auto gone = no_longer_accepted(view, from);
  std::string text = wrapped("Session " + view.run.id + " of " + shown_value(view.run.workflow) +
                                 " goes back to phase " + shown_value(phase) + ", from phase " +
                                 shown_value(view.run.current_phase) + " (" +
                                 std::string(gating::to_text(view.run.status)) + ").",
                             page.width, 0, 2);
  text +=
      wrapped(gone.empty() ? "No completed phase is lost by that."
                           : "These completed phases count no more: " + base::joined(gone, ", ") +
                                 ". What they handed over stays in the history.",
              page.width, 0, 2);
  if (view.run.decision || view.run.pending) {
    text += wrapped("What was handed over in the open phase is not decided about any more.",
                    page.width, 0, 2);
  }
  return text + wrapped("The assistant is told: " + shown_value(reason), page.width, 0, 2);
}

}  // namespace

Outcome reopen_session(const Invocation& invocation, Program& program,
                       const Environment& environment, const Page& page, const Prompts& prompts) {
  const Settings& settings = program.settings();
  const std::string& options = settings.options_here;
  const std::string& phase = invocation.second_argument;
  const std::string reason = invocation.reason.value_or("");
  if (phase.empty() || base::trimmed(reason).empty()) {
    return failed(ExitCode::usage,
                  usage_error(phase.empty() ? "`reopen` needs SESSION and PHASE."
                                            : "`reopen` needs --reason TEXT: whoever works on it "
                                              "again must be told why.",
                              "Write phasegate reopen SESSION PHASE --reason TEXT."));
  }
  gating::engine::Engine& engine = program.engine();
  const auto id = find_session(engine, invocation.argument, options);
  if (!id) return failed(ExitCode::not_ok, id.error());
  const auto own =
      require_own_terminal(environment, kReopening,
                           "phasegate reopen " + *id + " " + shell_word(phase) + " --reason " +
                               shell_word(reason) + settings.options_anywhere);
  if (!own) return failed(ExitCode::not_ok, own.error());
  const auto view = engine.view(*id);
  if (!view) return failed(ExitCode::not_ok, session_error(view.error(), options));
  if (phase != view->run.current_phase && view->run.find_accepted(phase) == nullptr) {
    return failed(
        ExitCode::not_ok,
        {"reopen_refused", "The session cannot go back to a phase " + base::in_quotes(phase) + ".",
         "It can go back to: " + ways_back(view->run), ""});
  }
  const auto enrolled = program.approvers().list();
  if (!enrolled) return confirmation_failed(enrolled.error());
  if (enrolled->empty()) {
    return failed(ExitCode::not_ok,
                  {"no_approvers", "Nobody is enrolled who could reopen a phase.",
                   "In a terminal of your own: phasegate approvers add NAME" + options, ""});
  }
  if (!says_yes(prompts, reopen_text(*view, phase, reason, page) + "Go back? [y/N] ")) {
    return {ExitCode::not_ok, "Nothing was changed.\n", ""};
  }
  const base::SystemClock clock;
  auto approver = confirm_by_approver({program.approvers(), environment, prompts, clock});
  if (!approver) return confirmation_failed(approver.error());
  const auto done =
      engine.reopen({*id, phase, reason, *std::move(approver), "terminal", view->run.version});
  if (!done) return failed(ExitCode::not_ok, session_error(done.error(), options));
  return {ExitCode::ok,
          "Phase " + shown_value(phase) + " of session " + *id +
              " is open again. The assistant is told so, and why, with its next call.\n",
          ""};
}

Outcome pause_session(const Invocation& invocation, Program& program,
                      const Environment& environment, const Prompts& prompts) {
  const bool pause = invocation.command == CommandId::pause;
  const Settings& settings = program.settings();
  const std::string& options = settings.options_here;
  const std::string_view what = pause ? "Pausing a session" : "Letting a paused session go on";
  gating::engine::Engine& engine = program.engine();
  const auto id = find_session(engine, invocation.argument, options);
  if (!id) return failed(ExitCode::not_ok, id.error());
  std::string command = "phasegate " + std::string(pause ? "pause " : "resume ") + *id;
  if (invocation.reason) command += " --reason " + shell_word(*invocation.reason);
  command += settings.options_anywhere;
  if (auto own = require_own_terminal(environment, what, command); !own) {
    return failed(ExitCode::not_ok, own.error());
  }
  const auto view = engine.view(*id);
  if (!view) return failed(ExitCode::not_ok, session_error(view.error(), options));
  if (!gating::is_open(view->run.status)) {
    return failed(ExitCode::not_ok,
                  {"run_ended",
                   "The session has ended: " + std::string(gating::to_text(view->run.status)) + ".",
                   "`phasegate status " + *id + options + "` shows how.", ""});
  }
  const base::SystemClock clock;
  const auto actor =
      confirmed_actor({program.approvers(), environment, prompts, clock}, what, command);
  if (!actor) return confirmation_failed(actor.error());
  const auto done = engine.pause({*id, pause, invocation.reason.value_or(""), *actor});
  if (!done) return failed(ExitCode::not_ok, session_error(done.error(), options));
  if (pause) {
    return {ExitCode::ok,
            "Session " + *id +
                " is paused. The assistant is told to stop with its next call.\nTo go on: "
                "phasegate resume " +
                *id + shown(options) + "\n",
            ""};
  }
  return {ExitCode::ok,
          "Session " + *id + " goes on, in phase " + shown(done->run.current_phase) + ".\n", ""};
}

}  // namespace phasegate::app::cli
