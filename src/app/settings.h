#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/invocation.h"
#include "app/environment.h"
#include "base/result.h"
#include "gating/run.h"
#include "phases/library.h"
#include "world/project.h"

namespace phasegate::app {

/// Where everything lies for one call of the program.
struct Settings {
  std::filesystem::path root;  ///< canonical
  std::string root_from;       ///< `--root`, `CLAUDE_PROJECT_DIR`, `the working directory`
  world::Project project;
  std::filesystem::path state_folder;  ///< holds state.db
  std::string state_from;              ///< `--state`, `PHASEGATE_STATE`, `the default place`
  /// Holds the book of approvers: the folder in which the state folders of all projects lie, or a
  /// state folder that was named and lies elsewhere.
  std::filesystem::path approvers_folder;
  /// The user's notify.yaml or what was named in its place, there or not; empty: the user has no
  /// home folder.
  std::filesystem::path notify_file;
  std::string notify_shown;  ///< the same as people know it
  /// Where a person decides on the web, but for the decision's id at the end; set by who serves it,
  /// empty for everybody else.
  std::string decision_page;
  std::vector<phases::Place> places;  ///< nearest first
  gating::GatePolicy gates = gating::GatePolicy::strict;
  /// ` --root … --state …` as somebody in the working folder has to type it; empty where the
  /// defaults lead to the same project and state.
  std::string options_here;
  /// The same for somebody who may be anywhere: always with --root.
  std::string options_anywhere;
  /// What a client has to start the program with, to reach exactly these settings from anywhere.
  std::vector<std::string> client_arguments;
};

/// Finds project, state and workflow places. Only looks: nothing is made on disk. Errors (`usage`):
/// the root is no folder; (`no_home`) the user has no home folder to keep state in.
[[nodiscard]] base::Result<Settings> resolve(const cli::Invocation& invocation,
                                             const Environment& environment);

/// The places in which workflows are looked for, nearest first, each once: the given folders,
/// the project's `.phasegate`, `.praxis-os` and `.agent-os`, the user's configuration folder, and
/// last what the program carries itself.
/// Names are relative to the project or begin with `~`; they never hold other absolute paths.
[[nodiscard]] std::vector<phases::Place> workflow_places(
    const std::vector<std::string>& given, const std::filesystem::path& working_folder,
    const std::filesystem::path& root, const std::filesystem::path& home);

}  // namespace phasegate::app
