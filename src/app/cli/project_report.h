#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/doctor_report.h"
#include "app/cli/render_findings.h"
#include "phases/project_config.h"
#include "phases/workflow.h"

/// What people are told of the project's own file, `.phasegate/project.yaml`.
namespace phasegate::app::cli {

struct ProjectReport {
  std::optional<phases::ProjectConfig> config;  ///< nullopt: there is none
  /// Those of the file, errors first, and `ignored_file` for what may be taken for it and is not
  /// read. Their sources are paths below the root.
  std::vector<phases::Finding> findings;
};

/// Reads the file as sessions do, through the same port.
[[nodiscard]] ProjectReport project_report(const std::filesystem::path& root);

/// A line of the project's file, for its findings.
[[nodiscard]] LineOf project_lines(const std::filesystem::path& root);

/// Adds what the workflow's checks want of the project and do not find (phases::lint_project); one
/// error (`invalid_project`) where the file that they need has errors itself.
void add_project_findings(const ProjectReport& report, phases::LoadedWorkflow& loaded);

/// The same for `doctor`.
[[nodiscard]] std::vector<Diagnosis> diagnose_project(const ProjectReport& report);

}  // namespace phasegate::app::cli
