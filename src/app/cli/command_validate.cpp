#include <algorithm>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/render.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/folder_reader.h"
#include "phases/requirement_reader.h"

namespace phasegate::app::cli {
namespace {

namespace fs = std::filesystem;

bool is_workflow_folder(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "metadata.json", ignored) ||
         fs::is_directory(folder / "phases", ignored);
}

base::Error nothing_here(const std::string& path, std::string message) {
  return {"not_found", base::in_quotes(path) + " " + std::move(message),
          "PATH is a workflow folder (it holds metadata.json and phases/) or a folder of them.",
          ""};
}

/// A folder and the way in which it was named.
struct Target {
  fs::path folder;
  std::string shown_path;
};

/// The folder itself, or the workflow folders directly below it, by name.
base::Result<std::vector<Target>> targets_of(const std::string& path, const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return nothing_here(path, "does not exist.");
  if (!fs::is_directory(folder, error)) return nothing_here(path, "is no folder.");
  if (is_workflow_folder(folder)) return std::vector<Target>{{folder, path}};
  std::vector<Target> targets;
  fs::directory_iterator entries(folder, error);
  if (error) return nothing_here(path, "cannot be read: " + error.message() + ".");
  for (; entries != fs::directory_iterator(); entries.increment(error)) {
    if (error) return nothing_here(path, "cannot be read: " + error.message() + ".");
    const fs::path& entry = entries->path();
    std::error_code ignored;
    if (!fs::is_directory(entry, ignored) || !is_workflow_folder(entry)) continue;
    targets.push_back({entry, (fs::path(path) / entry.filename()).string()});
    if (targets.size() > base::limits::kWorkflowsMax) {
      return nothing_here(
          path, "holds more than " + std::to_string(base::limits::kWorkflowsMax) + " workflows.");
    }
  }
  if (targets.empty()) return nothing_here(path, "holds no workflow.");
  std::sort(targets.begin(), targets.end(),
            [](const Target& a, const Target& b) { return a.folder < b.folder; });
  return targets;
}

}  // namespace

Outcome validate(const Invocation& invocation, const Environment& environment) {
  const auto targets =
      targets_of(invocation.argument, environment.working_folder / invocation.argument);
  if (!targets) return failed(ExitCode::not_ok, targets.error());

  const phases::PlainRequirementReader requirements;
  base::Json workflows = base::Json::array();
  std::size_t broken = 0;
  Outcome outcome;
  for (const Target& target : *targets) {
    std::error_code ignored;
    // The folder's name is the workflow's id, so `.` has to become a name first.
    const fs::path canonical = fs::canonical(target.folder, ignored);
    Validated validated{target.shown_path, phases::read_workflow_folder(
                                               ignored ? target.folder : canonical, requirements)};
    add_gate_findings(validated.loaded);
    if (!validated.loaded.startable()) ++broken;
    if (invocation.json) {
      workflows.push_back(validate_json(validated));
    } else {
      outcome.out += (outcome.out.empty() ? "" : "\n") + validate_text(validated);
    }
  }
  const bool sound = broken == 0;
  if (!invocation.json && targets->size() > 1) {
    outcome.out += "\n" + base::counted(targets->size(), "workflow") + ", " +
                   (sound ? std::string("all") : std::to_string(targets->size() - broken)) +
                   " can be started\n";
  }
  outcome.code = sound ? ExitCode::ok : ExitCode::not_ok;
  if (invocation.json) {
    base::Json document = base::Json::object();
    document["ok"] = sound;
    document["workflows"] = std::move(workflows);
    outcome.out = base::dump_pretty(document) + "\n";
  }
  return outcome;
}

}  // namespace phasegate::app::cli
