#include <system_error>

#include "app/cli/command_backup.h"
#include "app/cli/layout.h"
#include "app/cli/option_values.h"
#include "app/cli/person_at_terminal.h"
#include "app/cli/text.h"
#include "app/composition.h"
#include "base/text.h"
#include "state/restore.h"

namespace phasegate::app::cli {
namespace {

namespace fs = std::filesystem;
using state::RestorePlan;

constexpr std::string_view kLatest = "latest";

std::string sessions(std::int64_t count) {
  return base::counted(static_cast<std::size_t>(count), "session");
}

/// What FILE means: a path from the working folder, or the name of a copy as `backup --list` shows
/// it, or `latest`.
fs::path meant_by(const std::string& typed, const Settings& settings,
                  const Environment& environment) {
  std::error_code failed;
  if (typed == kLatest) {
    if (const auto newest = state::latest_backup(settings.state_folder)) return newest->file;
  }
  const fs::path here = environment.working_folder / typed;
  if (fs::exists(here, failed)) return here;
  for (const state::StateBackup& one : state::list_backups(settings.state_folder)) {
    const std::string name = one.file.filename().string();
    if (typed == name || typed == "backups/" + name) return one.file;
  }
  return here;
}

std::string plan_text(const RestorePlan& plan, const std::string& file, const Page& page) {
  std::string text = "The copy " + shown(file) + " holds " + sessions(plan.sessions);
  if (plan.last_change) text += ", the last change " + moment(*plan.last_change, page);
  text = wrapped(text + ".", page.width, 0, 0);
  if (plan.unsealed) {
    text += wrapped("It is from before histories were sealed: nobody vouches for what is in it.",
                    page.width, 0, 0);
  }
  for (const std::string& one : plan.damaged) {
    text += wrapped("Not as it was written, and stays frozen: " + shown_value(one) + ".",
                    page.width, 0, 2);
  }
  if (plan.unreadable) {
    return text + wrapped((plan.there ? "What is here now cannot be used: "
                                      : "There is no state here now: ") +
                              shown(plan.unreadable->message) +
                              (plan.there ? ". It is set aside under a new name." : "."),
                          page.width, 0, 0);
  }
  if (!plan.there) return text + "Nothing is stored here now.\n";
  if (!plan.same_database) {
    text += wrapped("It is the copy of another state, not an earlier moment of this one.",
                    page.width, 0, 0);
  }
  if (plan.entries_lost == 0 && plan.sessions_gone == 0) {
    text += "Everything that is here now is in it, too.\n";
  } else {
    text +=
        wrapped("Here now, and not in the copy: " +
                    base::counted(static_cast<std::size_t>(plan.entries_lost), "entry", "entries") +
                    " of " + sessions(plan.sessions_gone + plan.sessions_set_back) + "; " +
                    std::to_string(plan.sessions_gone) + " would be gone altogether.",
                page.width, 0, 0);
    std::vector<std::vector<std::string>> rows;
    for (const state::SetBack& one : plan.set_back) {
      rows.push_back({one.run_id, shown_value(one.workflow), one.status,
                      one.gone ? "gone" : std::to_string(one.entries_lost) + " entries back"});
    }
    text += table({{"SESSION", 0, 8}, {"WORKFLOW", 1, 0}, {"NOW", 2, 0}, {"THEN", 0, 0}}, rows,
                  page.width);
    const auto shown_count = static_cast<std::int64_t>(plan.set_back.size());
    const std::int64_t more = plan.sessions_gone + plan.sessions_set_back - shown_count;
    if (more > 0) text += "… and " + std::to_string(more) + " more.\n";
  }
  if (plan.sessions_back > 0) {
    text += wrapped(sessions(plan.sessions_back) +
                        " that prune has removed here would be back, until they are pruned again.",
                    page.width, 0, 0);
  }
  return text + wrapped("What is here now is copied first.", page.width, 0, 0);
}

std::string names_text(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  out.reserve(names.size());
  for (const std::string& name : names) out.push_back(shown(name));
  return base::joined(out, ", ");
}

/// Moves away what cannot be used, so that the next session begins with an empty state.
Outcome only_set_aside(const PersonAtTerminal& person, const Settings& settings, const Page& page) {
  const auto unusable = state::why_unusable(settings.state_folder);
  if (!unusable) {
    return failed(ExitCode::not_ok,
                  {"usable", "What lies here can be used, or nothing does; it is not set aside.",
                   "`phasegate doctor" + settings.options_here + "` shows what is here.", ""});
  }
  Program program(settings);
  if (auto refused = person.missing(program)) return *std::move(refused);
  Outcome otherwise;
  const auto actor = person.confirm(
      program,
      wrapped("What is here cannot be used: " + shown(unusable->message) +
                  ". What is left gets a new name in the same folder, and the next session begins "
                  "with an empty state. If there is a copy, `phasegate restore FILE" +
                  settings.options_here + "` puts that in its place instead.",
              page.width, 0, 0) +
          "\nSet it aside? [y/N] ",
      otherwise);
  if (!actor) return otherwise;
  const auto names = state::set_aside(settings.state_folder, page.now);
  return {ExitCode::ok,
          wrapped("It lies in the same folder now as " + names_text(names) + ".", page.width, 0, 0),
          ""};
}

}  // namespace

Outcome restore_state(const Invocation& invocation, const Settings& settings,
                      const Environment& environment, const Page& page, const AskPerson& ask,
                      const Prompts& prompts) {
  const std::string& typed = invocation.argument;
  const PersonAtTerminal person{
      environment, ask, prompts, "What state goes on from here",
      "phasegate restore" +
          (typed.empty() ? std::string(" --set-aside") : " " + shell_word(typed)) +
          settings.options_anywhere};
  if (typed.empty() != invocation.set_aside) {
    return failed(ExitCode::usage,
                  usage_error(typed.empty() ? "Which copy is missing."
                                            : "--set-aside takes no FILE: with one, what cannot be "
                                              "used is set aside anyway.",
                              "`phasegate backup --list` shows the copies; `phasegate restore "
                              "--set-aside` moves a state away that cannot be used."));
  }
  if (invocation.set_aside) return only_set_aside(person, settings, page);
  Program program(settings);
  if (auto refused = person.missing(program)) return *std::move(refused);
  const fs::path file = meant_by(typed, settings, environment);
  std::error_code failure;
  if (typed == kLatest && !fs::exists(file, failure)) {
    return failed(ExitCode::not_ok,
                  {"no_copy", "There is no copy of this state yet, so none is the latest.",
                   "`phasegate backup` makes one. `phasegate restore FILE` puts one back that lies "
                   "elsewhere.",
                   ""});
  }
  auto restore = state::Restore::prepare(settings.state_folder, file);
  if (!restore) return failed(ExitCode::not_ok, restore.error());
  Outcome otherwise;
  const auto actor = person.confirm(
      program, plan_text((*restore)->plan(), file.string(), page) + "\nRestore? [y/N] ", otherwise);
  if (!actor) return otherwise;
  const state::Restored done = (*restore)->carry_out(*actor, page.now);
  std::string text = "Restored " + shown(file.string()) + ".\n";
  if (done.before) {
    text += wrapped("What was here before is " + shown(done.before->file.string()) + ".",
                    page.width, 0, 0);
  }
  if (!done.set_aside.empty()) {
    text += wrapped("Set aside in the same folder: " + names_text(done.set_aside) + ".", page.width,
                    0, 0);
  }
  return {ExitCode::ok, text, ""};
}

}  // namespace phasegate::app::cli
