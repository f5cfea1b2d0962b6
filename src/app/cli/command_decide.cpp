#include "app/cli/command_decide.h"

#include <chrono>

#include "app/cli/decision_input.h"
#include "app/cli/layout.h"
#include "app/cli/outside_text.h"
#include "app/cli/render_decision.h"
#include "app/cli/session_lookup.h"
#include "app/cli/short_ids.h"
#include "app/cli/text.h"
#include "app/confirm_by_approver.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

using base::Error;
using base::Result;
using gating::engine::DecisionView;
using gating::engine::Engine;
using phases::DecisionOption;

constexpr std::string_view kWhat = "A decision";
/// As long as a person is kept waiting for what git has to say.
constexpr std::chrono::seconds kLookAtMost{30};
constexpr std::size_t kPromptBytesShown = 200;
constexpr std::size_t kInputBytesShown = 500;

/// Everything here that waits for a decision, the one that has waited longest last.
std::vector<DecisionView> waiting(Engine& engine) {
  std::vector<DecisionView> found;
  gating::engine::RunQuery query;
  query.which = gating::engine::RunQuery::Which::open;
  query.limit = base::limits::kListItemsMax;
  do {
    const auto page = engine.list(query);
    if (!page) break;
    for (const auto& run : page->runs) {
      if (run.status != gating::RunStatus::waiting) continue;
      if (auto view = engine.decision_view(run.id)) found.push_back(std::move(view).value());
    }
    query.cursor = page->next_cursor;
  } while (!query.cursor.empty());
  return found;
}

/// What waits, and how to name one of it.
Outcome choose_one(const std::vector<DecisionView>& views, const std::string& options,
                   const Page& page) {
  std::vector<std::string> ids;
  for (const DecisionView& view : views) ids.push_back(view.view.run.id);
  ids = short_ids(ids);
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const gating::RunState& run = views[i].view.run;
    rows.push_back({ids[i], shown_short(run.workflow, kPromptBytesShown),
                    shown_short(run.current_phase, kPromptBytesShown),
                    ago(views[i].decision.opened_at, page.now),
                    shown_short(views[i].demand.prompt, kPromptBytesShown)});
  }
  Outcome outcome =
      failed(ExitCode::not_ok,
             {"ambiguous_session", base::counted(views.size(), "session") + " wait for a decision.",
              "Name one: phasegate decide " + ids.front() + options, ""});
  outcome.out = table({{"SESSION", 0, 0},
                       {"WORKFLOW", 2, 12},
                       {"PHASE", 3, 6},
                       {"SINCE", 1, 0},
                       {"TO BE DECIDED", 4, 16}},
                      rows, page.width);
  return outcome;
}

Result<world::Changes> changes_of(const DecisionView& view, const Settings& settings) {
  const auto until = std::chrono::steady_clock::now() + kLookAtMost;
  auto changes = world::changes_since_start(
      {settings.root, settings.state_folder / "scratch", view.started, view.view.run.created_at,
       [until] { return std::chrono::steady_clock::now() < until; }});
  if (!changes && changes.error().code == "git_stopped") {
    return Error{"git_stopped", "git did not look through it within 30 seconds", "", ""};
  }
  return changes;
}

Error for_people(Error error, const std::string& id, const std::string& options) {
  const std::string again = "phasegate decide " + id + options;
  if (error.code == "no_decision" || error.code == "decision_closed") {
    error.hint = "`phasegate inbox` lists what waits for a person.";
  } else if (error.code == "stale_decision" || error.code == "stale_version") {
    error.message = "Something has changed since it was shown. Nothing was decided.";
    error.hint = "Look at it again: " + again;
  } else if (error.code == "no_approvers") {
    error.message = "Nobody is enrolled who could decide, so the session waits.";
    error.hint =
        "In a terminal of your own: phasegate approvers add NAME" + options + "; then " + again;
  } else if (error.code == "interrupted" || error.code == "nothing_given") {
    error.message += " Nothing was decided.";
    error.hint = "To decide: " + again;
  }
  return session_error(std::move(error), options);
}

/// Asks for everything but the secret; the option and the words.
struct Choice {
  const DecisionOption* option = nullptr;
  std::string input;
};

Result<Choice> ask_choice(const DecisionView& view, const DecisionOption* preselected,
                          const std::optional<std::string>& input, const Prompts& prompts,
                          std::string before) {
  Choice choice{preselected, ""};
  if (choice.option == nullptr) {
    auto option = ask_option(view.demand, prompts, before);
    if (!option) return std::move(option).error();
    choice.option = *option;
    before.clear();
  }
  if (input) {
    choice.input = *input;
  } else {
    auto words = ask_input(*choice.option, prompts, before);
    if (!words) return std::move(words).error();
    if (choice.option->input != phases::DecisionInput::none) before.clear();
    choice.input = *std::move(words);
  }
  if (auto fits = check_input(*choice.option, choice.input); !fits) {
    return std::move(fits).error();
  }
  std::string question = before + "You choose " + shown_value(choice.option->id) + ": " +
                         effect_text(view, *choice.option) + ".";
  if (!choice.input.empty()) {
    question += " You say: " + shown_short(choice.input, kInputBytesShown);
  }
  if (!says_yes(prompts, question + "\nIs that your decision? [y/N] ")) {
    return Error{"not_confirmed", "Nothing was decided.", "", ""};
  }
  return choice;
}

Result<std::string> find_waiting(Engine& engine, const std::string& typed,
                                 const std::string& options) {
  if (!typed.empty()) return find_session(engine, typed, options);
  const auto views = waiting(engine);
  if (views.size() == 1) return views.front().view.run.id;
  return Error{views.empty() ? "no_decision" : "ambiguous_session",
               "No session of this project waits for a decision.",
               "`phasegate inbox` lists what waits in all projects.", ""};
}

}  // namespace

Outcome decide_session(const Invocation& invocation, Program& program,
                       const Environment& environment, const Page& page, const Prompts& prompts) {
  Engine& engine = program.engine();
  const Settings& settings = program.settings();
  const std::string& options = settings.options_here;
  const auto id = find_waiting(engine, invocation.argument, options);
  if (!id && id.error().code == "ambiguous_session" && invocation.argument.empty()) {
    return choose_one(waiting(engine), options, page);
  }
  if (!id) return failed(ExitCode::not_ok, id.error());
  const auto refused = [&](const Error& error) {
    return confirmation_failed(for_people(error, *id, options));
  };
  if (!invocation.json) {
    std::string command = "phasegate decide " + *id;
    if (invocation.option) command += " --option " + shell_word(*invocation.option);
    auto own = require_own_terminal(environment, kWhat, command + settings.options_anywhere);
    if (!own) return failed(ExitCode::not_ok, own.error());
  }
  const auto view = engine.decision_view(*id);
  if (!view) return refused(view.error());
  const DecisionOption* preselected = nullptr;
  if (invocation.option) {
    preselected = view->demand.find_option(base::lowered(*invocation.option));
    if (preselected == nullptr) {
      std::vector<std::string> ids;
      for (const DecisionOption& option : view->demand.options) ids.push_back(option.id);
      return refused({"invalid_decision",
                      "There is no option " + base::in_quotes(*invocation.option) + " here.",
                      "It offers: " + base::joined(ids, ", "), ""});
    }
  }
  const auto input = given_input(invocation, environment);
  if (!input) return refused(input.error());
  const auto changes = changes_of(*view, settings);
  if (invocation.json) {
    return {ExitCode::ok, base::dump_pretty(decision_json(*view, changes)) + "\n", ""};
  }
  std::string text = decision_text(*view, changes, invocation.full, page) + "\n";
  const auto enrolled = program.approvers().list();
  if (!enrolled || enrolled->empty()) {
    Outcome outcome = refused(enrolled ? Error{"no_approvers", "", "", ""} : enrolled.error());
    outcome.out = std::move(text);
    return outcome;
  }
  const auto choice = ask_choice(*view, preselected, *input, prompts, std::move(text));
  if (!choice) return refused(choice.error());
  const base::SystemClock clock;
  auto approver = confirm_by_approver({program.approvers(), environment, prompts, clock});
  if (!approver) return refused(approver.error());
  const auto done = engine.decide({*id, view->decision.id, choice->option->id, choice->input,
                                   view->digest, *std::move(approver), "terminal"});
  if (!done) {
    Error error = done.error();
    if (error.code == "no_decision" || error.code == "decision_closed") {
      error.message = "It has been decided meanwhile; nothing of this counts. " + error.message;
    }
    return refused(error);
  }
  return {ExitCode::ok, decided_text(*done, *view, *choice->option, options, page), ""};
}

}  // namespace phasegate::app::cli
