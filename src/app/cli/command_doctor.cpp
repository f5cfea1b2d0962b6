#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/doctor_report.h"
#include "app/cli/project_report.h"
#include "base/json.h"

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
  all.push_back(diagnose_approvers(settings, program.approvers().list()));
  const auto found = program.engine().workflows();
  for (Diagnosis& one : diagnose_workflows(settings, found, program.place_findings())) {
    all.push_back(std::move(one));
  }
  const ExitCode code = sound(all) ? ExitCode::ok : ExitCode::not_ok;
  if (invocation.json) {
    return {code, base::dump_pretty(doctor_json(settings, environment, report, all)) + "\n", ""};
  }
  return {code, doctor_text(all, page), ""};
}

}  // namespace phasegate::app::cli
