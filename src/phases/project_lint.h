#pragma once
#include <optional>
#include <string>
#include <vector>

#include "phases/project_config.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// What a workflow's checks want of a project that it does not have, so that they could never pass
/// there. `config` is the project's file, if there is one. All at the line of their check:
/// `unknown_command` for `project: NAME` without such a command and without `if_missing: skip`,
/// `missing_report` for `min_tests`, `min_coverage`, `ratchet` or `fails_at` where neither the
/// check nor its command names the report or the files, `unlisted_host` for an address that is
/// neither this machine nor listed. Errors; without a file what only its commands or hosts could
/// bring is a warning, since workflows are shared between projects. Where the file has errors it
/// says nothing of commands and hosts that those may have cost. Pure; linear.
[[nodiscard]] std::vector<Finding> lint_project(const LoadedWorkflow& loaded,
                                                const std::optional<ProjectConfig>& config);

/// A command that a workflow cannot do without, and that the project does not have.
struct LackingCommand {
  std::string name;
  std::string nearest;  ///< one that the project has; may be empty
};
/// The first of them, in the order of the checks; nullopt if there is none.
[[nodiscard]] std::optional<LackingCommand> lacking_command(
    const Workflow& workflow, const std::optional<ProjectConfig>& config);

}  // namespace phasegate::phases
