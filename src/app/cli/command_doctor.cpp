#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/doctor_report.h"
#include "app/cli/doubts.h"
#include "app/cli/project_report.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/named_commands.h"

namespace phasegate::app::cli {
namespace {

namespace fs = std::filesystem;

/// Whether a folder that may not exist yet could be made: its nearest existing ancestor is a folder
/// that this user may write.
bool could_be_made(fs::path folder) {
  std::error_code ignored;
  while (!fs::exists(folder, ignored) && folder.has_relative_path()) folder = folder.parent_path();
  return fs::is_directory(folder, ignored) && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

/// What `read` gives; nullopt where the store cannot be read, which the state's own lines say.
template <typename Read>
auto if_readable(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const gating::engine::StoreFailure&) {
    return std::nullopt;
  }
}

std::vector<std::string> doubts_of_session(gating::engine::Engine& engine, const std::string& id,
                                           const Approvers& approvers) {
  const auto view = engine.view(id);
  return view ? doubts_about(engine, *view, approvers) : std::vector<std::string>();
}

/// Decisions of all sessions that do not go with who is enrolled.
std::vector<Diagnosis> diagnose_decisions(gating::engine::Engine& engine,
                                          const Approvers& approvers) {
  constexpr std::size_t kShownMax = 20;
  std::vector<Diagnosis> out;
  std::size_t count = 0;
  gating::engine::RunQuery query;
  query.limit = base::limits::kListItemsMax;
  do {
    const auto page = if_readable([&] { return engine.list(query); });
    if (!page || !*page) break;
    for (const auto& one : (*page)->runs) {
      const auto doubts = if_readable([&] { return doubts_of_session(engine, one.id, approvers); });
      for (const std::string& doubt : doubts.value_or(std::vector<std::string>())) {
        if (++count > kShownMax) continue;
        out.push_back({Diagnosis::Level::note, "decisions", "session " + one.id + ", " + doubt,
                       "Unless that approver was removed, the decision was made with another list "
                       "of approvers, or written by another program."});
      }
    }
    query.cursor = (*page)->next_cursor;
  } while (!query.cursor.empty());
  if (count > kShownMax) {
    out.push_back({Diagnosis::Level::note, "decisions",
                   "and " + std::to_string(count - kShownMax) + " more of that kind", ""});
  }
  return out;
}

}  // namespace

Outcome doctor(const Invocation& invocation, const Settings& settings,
               const Environment& environment, const Page& page) {
  using Level = Diagnosis::Level;
  std::vector<Diagnosis> all{
      {Level::ok, "program",
       "phasegate " + std::string(version()) + ", " + environment.executable.string(), ""},
      {Level::ok, "project", settings.root.string() + " (from " + settings.root_from + ")", ""}};
  if (!settings.project.branch.empty()) {
    all.push_back({Level::ok, "project", "branch " + settings.project.branch, ""});
  }
  for (const std::string& finding : settings.project.findings) {
    all.push_back({Level::note, "project", finding, ""});
  }
  for (Diagnosis& one : diagnose_project(project_report(settings.root))) {
    all.push_back(std::move(one));
  }
  const state::StoreReport report = state::inspect(settings.state_folder, {.thorough = true});
  for (Diagnosis& one : diagnose_state(settings, report, could_be_made(settings.state_folder))) {
    all.push_back(std::move(one));
  }
  Program program(settings);
  const auto approvers = program.approvers().list();
  all.push_back(diagnose_approvers(settings, approvers));
  if (approvers && report.exists && !report.problem) {
    for (Diagnosis& one : diagnose_decisions(program.engine(), *approvers)) {
      all.push_back(std::move(one));
    }
  }
  const auto found = program.engine().workflows();
  for (Diagnosis& one : diagnose_workflows(settings, found, program.place_findings())) {
    all.push_back(std::move(one));
  }
  for (Diagnosis& one : all) one.hint = base::with_options(one.hint, settings.options_here);
  const ExitCode code = sound(all) ? ExitCode::ok : ExitCode::not_ok;
  if (invocation.json) {
    return {code, base::dump_pretty(doctor_json(settings, environment, report, all)) + "\n", ""};
  }
  return {code, doctor_text(all, page), ""};
}

}  // namespace phasegate::app::cli
