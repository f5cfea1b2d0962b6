#include <fstream>
#include <iterator>

#include "app/cli/command_backup.h"
#include "app/cli/layout.h"
#include "app/cli/person_at_terminal.h"
#include "app/cli/session_lookup.h"
#include "app/cli/text.h"
#include "app/new_file.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "state/bundle.h"
#include "world/project.h"

namespace phasegate::app::cli {
namespace {

namespace fs = std::filesystem;

base::Result<std::string> whole_of(const fs::path& file) {
  std::error_code failed;
  const base::Error unreadable{"unreadable", base::in_quotes(file.string()) + " cannot be read.",
                               "Name a file that `phasegate export --bundle` has made.", ""};
  if (!fs::is_regular_file(file, failed)) return unreadable;
  const auto size = fs::file_size(file, failed);
  if (failed) return unreadable;
  if (size > state::kBundleBytesMax) {
    return base::Error{"too_large",
                       base::in_quotes(file.string()) + " has " + std::to_string(size) +
                           " bytes; at most " + std::to_string(state::kBundleBytesMax) +
                           " are read.",
                       "", ""};
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) return unreadable;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string bundle_text(const state::Bundle& bundle, const std::string& file, const Page& page) {
  const gating::RunState& run = bundle.run;
  return wrapped("The file " + shown(file) + " holds session " + shown(run.id) + " of " +
                     shown_value(run.workflow) + " (" + std::string(gating::to_text(run.status)) +
                     "), begun " + moment(run.created_at, page) + ", with " +
                     base::counted(bundle.journal.size(), "entry", "entries") + " and " +
                     base::counted(bundle.decisions.size(), "decision") + ", exported by " +
                     shown_value(bundle.exported_by) + " " + moment(bundle.exported_at, page) + ".",
                 page.width, 0, 0) +
         wrapped(
             "Its digest is right. That tells that it arrived whole, and not who wrote it: what "
             "it says of approvals and checks rests on the word of whoever gave you the file.",
             page.width, 0, 0);
}

}  // namespace

Outcome export_bundle(const std::string& session, const Invocation& invocation,
                      const Settings& settings, const fs::path& file) {
  const auto bundle = state::read_bundle(settings.state_folder, session, world::principal(),
                                         base::SystemClock().now());
  if (!bundle) {
    return failed(ExitCode::not_ok, missing_session(settings, session, bundle.error()));
  }
  // A history is as private as the state that it comes from.
  if (auto made = make_new_file(file, state::to_text(*bundle), FileAccess::owner_only); !made) {
    base::Error error = made.error();
    error.message = base::in_quotes(file.string()) + ": " + error.message;
    return failed(ExitCode::not_ok, error);
  }
  const std::size_t entries = bundle->journal.size();
  if (invocation.json) {
    const base::Json json = {
        {"session_id", session}, {"file", base::to_utf8(file.string())}, {"entries", entries}};
    return {ExitCode::ok, base::dump_pretty(json) + "\n", ""};
  }
  return {ExitCode::ok,
          "Wrote session " + session + " with " + base::counted(entries, "entry", "entries") +
              " to " + shown(file.string()) + ".\n",
          ""};
}

Outcome import_session(const Invocation& invocation, const Settings& settings,
                       const Environment& environment, const Page& page, const AskPerson& ask,
                       const Prompts& prompts) {
  const fs::path file = environment.working_folder / invocation.argument;
  const PersonAtTerminal person{
      environment, ask, prompts, "Which histories count here",
      "phasegate import " + shell_word(file.string()) + settings.options_anywhere};
  Program program(settings);
  if (auto refused = person.missing(program)) return *std::move(refused);
  const auto text = whole_of(file);
  if (!text) return failed(ExitCode::not_ok, text.error());
  const auto bundle = state::parse_bundle(*text);
  if (!bundle) return failed(ExitCode::not_ok, bundle.error());
  if (auto able = state::can_be_imported(settings.state_folder, *bundle); !able) {
    return failed(ExitCode::not_ok, able.error());
  }
  Outcome otherwise;
  const auto actor = person.confirm(
      program, bundle_text(*bundle, file.string(), page) + "\nTake it in? [y/N] ", otherwise);
  if (!actor) return otherwise;
  const auto done = state::import_bundle(settings.state_folder, *bundle, *actor, page.now);
  if (!done) return failed(ExitCode::not_ok, done.error());
  return {
      ExitCode::ok,
      "Session " + bundle->run.id + " is here now.\n" +
          wrapped("What it was trusted with there does not count here. If its workflow has checks "
                  "that run programs, they run nothing until what it is pinned to is trusted: "
                  "`phasegate repin " +
                      bundle->run.id + settings.options_here +
                      "` pins it to the one that lies here, `phasegate trust " +
                      shell_word(bundle->run.workflow) + settings.options_here + "` trusts that.",
                  page.width, 0, 0),
      ""};
}

}  // namespace phasegate::app::cli
