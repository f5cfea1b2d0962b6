#include "app/cli/project_report.h"

#include <algorithm>

#include "app/cli/render.h"
#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"
#include "gating/engine/project_file.h"
#include "phases/project_commands.h"
#include "phases/project_lint.h"
#include "world/project_documents.h"

namespace phasegate::app::cli {
namespace {

namespace fs = std::filesystem;

using phases::Finding;
using phases::Severity;

std::string file_name() {
  return std::string(phases::kProjectConfigFile);
}

}  // namespace

ProjectReport project_report(const fs::path& root) {
  world::ProjectFiles files(root);
  ProjectReport report;
  report.config = gating::engine::project_file(&files);
  if (report.config) report.findings = report.config->findings;
  for (const std::string& name : world::overlooked_project_files(root)) {
    report.findings.push_back(
        {Severity::warning,
         "ignored_file",
         base::in_quotes(name) + " is not read: the project's file is " + file_name(),
         report.config ? "move what it says into that one, and remove it"
                       : "rename it to " + file_name(),
         {name, 0, 0},
         ""});
  }
  return report;
}

LineOf project_lines(const fs::path& root) {
  return [root](const phases::Source& source) -> std::string {
    const auto text = base::read_file_below(root, source.file, base::limits::kProjectFileBytesMax);
    if (!text) return "";
    const auto lines = base::split(*text, '\n');
    if (source.line < 1 || static_cast<std::size_t>(source.line) > lines.size()) return "";
    std::string_view line = lines[static_cast<std::size_t>(source.line) - 1];
    if (line.ends_with('\r')) line.remove_suffix(1);
    return std::string(line);
  };
}

void add_project_findings(const ProjectReport& report, phases::LoadedWorkflow& loaded) {
  if (!phases::uses_project(loaded.workflow)) return;
  if (report.config && !report.config->sound_for_checks) {
    loaded.findings.insert(loaded.findings.begin(),
                           {Severity::error,
                            "invalid_project",
                            "its checks take from " + file_name() + ", which has errors",
                            "mend that file: its findings stand below",
                            {},
                            ""});
    return;
  }
  auto found = phases::lint_project(loaded, report.config);
  const auto behind_errors =
      std::find_if(loaded.findings.begin(), loaded.findings.end(),
                   [](const Finding& one) { return one.severity != Severity::error; });
  loaded.findings.insert(behind_errors, found.begin(), found.end());
}

std::vector<Diagnosis> diagnose_project(const ProjectReport& report) {
  using Level = Diagnosis::Level;
  std::vector<Diagnosis> out;
  if (report.config && report.config->sound()) {
    std::vector<std::string> names;
    for (const auto& [name, command] : report.config->commands) names.push_back(name);
    out.push_back({Level::ok, "project",
                   file_name() + ": " + base::counted(names.size(), "command") +
                       (names.empty() ? "" : " (" + base::joined(names, ", ") + ")"),
                   ""});
  }
  for (const Finding& finding : report.findings) {
    const std::string place = phases::to_text(finding.source);
    out.push_back({finding.severity == Severity::error ? Level::problem : Level::note, "project",
                   (finding.source.line > 0 ? place + ": " : std::string()) + finding.message,
                   finding.hint});
  }
  return out;
}

}  // namespace phasegate::app::cli
