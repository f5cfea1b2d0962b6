#include "app/cli/command_db.h"

#include <algorithm>
#include <array>
#include <system_error>

#include "app/cli/option_values.h"
#include "app/cli/person_at_terminal.h"
#include "app/cli/text.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

namespace fs = std::filesystem;

struct Part {
  std::string_view name;
  std::string_view last;  ///< what follows FILE; empty: nothing
  Outcome (*work)(const DatabaseCall& call);
  bool values = false;
};

constexpr std::array<Part, 7> kParts = {{
    {"query", "SQL", query_database, true},
    {"exec", "SQL", change_database, true},
    {"confirm", "SQL", confirm_deletion, true},
    {"backup", "", back_up_database},
    {"backups", "", list_database_backups},
    {"restore", "BACKUP", restore_database},
    {"migrate", "FOLDER", migrate_database},
}};

/// A path as it was typed in the working folder, seen from the root. Links are looked at later.
base::Result<std::string> below_root(const std::string& typed, const Settings& settings,
                                     const Environment& environment) {
  const fs::path whole = (environment.working_folder / typed).lexically_normal();
  std::error_code failed;
  fs::path folder = fs::weakly_canonical(whole.parent_path(), failed);
  if (failed) folder = whole.parent_path();
  for (const fs::path& path : {whole, folder / whole.filename()}) {
    std::string relative = path.lexically_relative(settings.root).generic_string();
    if (!relative.empty() && relative != "." && !relative.starts_with("..")) return relative;
  }
  return base::Error{"outside_root", base::in_quotes(typed) + " lies outside the project.",
                     "Name a file in the project, or another project with --root DIR.", ""};
}

/// The beginning of a sentence: what only a person may say.
std::string what(const DatabaseCall& call) {
  return "`db " + call.invocation.argument + "`";
}

/// What a person types elsewhere.
std::string command_of(const DatabaseCall& call) {
  std::string command = "phasegate db " + call.invocation.argument;
  command += " " + shell_word((call.settings.root / call.file).string());
  command += " " + shell_word(call.last);
  for (const std::string& value : call.invocation.values) {
    command += " --value=" + shell_word(value);
  }
  return command + call.settings.options_anywhere;
}

/// Who confirms it; `confirmed` must outlive it.
PersonAtTerminal person_of(const DatabaseCall& call, const std::string& confirmed) {
  return {call.environment, call.ask, call.prompts, confirmed, command_of(call)};
}

base::Result<void> check_words(const Part& part, const Invocation& invocation) {
  const std::string usage = "phasegate db " + std::string(part.name) + " FILE" +
                            (part.last.empty() ? "" : " " + std::string(part.last));
  const std::size_t wanted = part.last.empty() ? 2 : 3;
  if (invocation.arguments.size() != wanted) {
    return usage_error("`db " + std::string(part.name) + "` is used like this: " + usage + ".",
                       "Text with spaces needs quotes. `phasegate help db` says more.");
  }
  const bool token = invocation.token && part.name != "exec";
  const bool dry = invocation.dry_run && part.name != "migrate";
  const bool values = !invocation.values.empty() && !part.values;
  if (!token && !dry && !values) return {};
  return usage_error(std::string(token ? "--token"
                                 : dry ? "--dry-run"
                                       : "--value") +
                         " is no option of `db " + std::string(part.name) + "`.",
                     "`phasegate help db` says more.");
}

}  // namespace

Outcome database_failed(const base::Error& error) {
  constexpr std::array<std::string_view, 6> kSurroundings = {
      "busy", "disk_full", "io_error", "read_only", "unreadable", "no_memory"};
  const bool surroundings =
      std::find(kSurroundings.begin(), kSurroundings.end(), error.code) != kSurroundings.end();
  return failed(surroundings ? ExitCode::environment : ExitCode::not_ok, error);
}

std::optional<Outcome> no_person(const DatabaseCall& call, Program& program) {
  const std::string confirmed = what(call);
  return person_of(call, confirmed).missing(program);
}

std::optional<Outcome> not_confirmed(const DatabaseCall& call, Program& program,
                                     const std::string& question, std::string_view otherwise) {
  const std::string confirmed = what(call);
  Outcome refused;
  const auto actor = person_of(call, confirmed).confirm(program, question, refused);
  if (actor) return std::nullopt;
  if (actor.error().code == kDeclined) refused.out = otherwise;
  return refused;
}

Outcome work_on_database(const Invocation& invocation, const Settings& settings,
                         const Environment& environment, const Page& page, const AskPerson& ask,
                         const Prompts& prompts) {
  const auto part = std::find_if(kParts.begin(), kParts.end(),
                                 [&](const Part& one) { return one.name == invocation.argument; });
  if (part == kParts.end()) return failed(ExitCode::usage, usage_error("Unknown.", ""));
  if (const auto sound = check_words(*part, invocation); !sound) {
    return failed(ExitCode::usage, sound.error());
  }
  auto file = below_root(invocation.arguments[1], settings, environment);
  if (!file) return failed(ExitCode::not_ok, file.error());
  DatabaseCall call{invocation, settings, environment, page, ask, prompts, *std::move(file), ""};
  if (!part->last.empty()) call.last = invocation.arguments[2];
  if (part->last == "FOLDER") {
    auto folder = below_root(call.last, settings, environment);
    if (!folder) return failed(ExitCode::not_ok, folder.error());
    call.last = *std::move(folder);
  }
  return part->work(call);
}

}  // namespace phasegate::app::cli
