#include <algorithm>

#include "app/cli/commands.h"
#include "app/cli/layout.h"
#include "app/cli/project_report.h"
#include "app/cli/render.h"
#include "app/cli/render_validate.h"
#include "app/cli/validate_targets.h"
#include "base/json.h"
#include "base/text.h"
#include "phases/project_commands.h"
#include "phases/workflow_json.h"

namespace phasegate::app::cli {
namespace {

namespace fs = std::filesystem;

using phases::Severity;

/// What is to be said of all of them together.
struct Verdict {
  std::size_t broken = 0;
  std::size_t warnings = 0;
  bool project_broken = false;

  void add(const phases::LoadedWorkflow& loaded) {
    if (!loaded.startable()) ++broken;
    warnings += count(loaded.findings, Severity::warning);
  }
  void add(const ProjectReport& project) {
    project_broken = project.config && !project.config->sound();
    warnings += count(project.findings, Severity::warning);
  }
  [[nodiscard]] bool ok(bool strict) const {
    return broken == 0 && !project_broken && (!strict || warnings == 0);
  }
};

std::string sum_text(const Verdict& verdict, std::size_t total, bool strict, const Page& page) {
  std::string text;
  if (total > 1) {
    const std::string sound =
        verdict.broken == 0 ? "all" : std::to_string(total - std::min(total, verdict.broken));
    text = "\n" + wrapped(base::counted(total, "workflow") + ", " + sound + " can be started",
                          page.width, 0, 2);
  }
  if (strict && verdict.broken == 0 && verdict.warnings > 0) {
    text += wrapped(
        page.in(Tone::caution, "--fail-on warning: " + base::counted(verdict.warnings, "warning") +
                                   " counted as errors"),
        page.width, 0, 2);
  }
  return text;
}

/// Whether the project's own file is part of what was asked for.
bool about_project(const Invocation& invocation, const Targets& targets) {
  return invocation.argument.empty() ||
         std::any_of(targets.workflows.begin(), targets.workflows.end(), [](const Target& target) {
           return phases::uses_project(target.loaded.workflow);
         });
}

std::string project_text(const ProjectReport& project, const fs::path& root, const Page& page) {
  if (project.findings.empty()) return "";
  return wrapped(page.in(Tone::strong, std::string(phases::kProjectConfigFile)), page.width, 0, 2) +
         findings_text(project.findings, "", project_lines(root), page);
}

}  // namespace

Outcome validate(const Invocation& invocation, const Environment& environment, const Page& page) {
  auto targets = find_targets(invocation, environment);
  // Without a project, as in a folder that cannot be one, the files alone are looked at.
  const auto settings = resolve(invocation, environment);
  const fs::path root = settings ? settings->root : fs::path();
  const ProjectReport project = settings ? project_report(root) : ProjectReport();
  if (!targets) {
    const bool usage = targets.error().code == "usage";
    Outcome outcome = failed(usage ? ExitCode::usage : ExitCode::not_ok, targets.error());
    // A project without workflows of its own uses the built-in ones, and its file may be broken.
    if (!usage && invocation.argument.empty() && !invocation.json) {
      outcome.out = project_text(project, root, page);
    }
    return outcome;
  }
  Verdict verdict;
  for (const phases::Finding& finding : targets->place_findings) {
    if (finding.severity == Severity::error) ++verdict.broken;
  }
  const bool asks_project = about_project(invocation, *targets);
  if (asks_project) verdict.add(project);
  Outcome outcome;
  base::Json workflows = base::Json::array();
  for (Target& target : targets->workflows) {
    add_gate_findings(target.loaded);
    if (settings) add_project_findings(project, target.loaded);
    verdict.add(target.loaded);
    const Validated validated{
        target.shown_path, target.folder, target.loaded,
        [&target](const phases::Source& source) { return source_line(target, source); }};
    if (invocation.json) {
      workflows.push_back(validate_json(validated));
    } else {
      outcome.out += (outcome.out.empty() ? "" : "\n") + validate_text(validated, page);
    }
  }
  const bool strict = invocation.strict || invocation.fail_on == "warning";
  const bool ok = verdict.ok(strict);
  outcome.code = ok ? ExitCode::ok : ExitCode::not_ok;
  if (!invocation.json) {
    if (!targets->place_findings.empty()) {
      outcome.out += "\n" + place_findings_text(targets->place_findings, page);
    }
    if (asks_project) {
      const std::string text = project_text(project, root, page);
      if (!text.empty()) outcome.out += "\n" + text;
    }
    outcome.out += sum_text(verdict, targets->workflows.size(), strict, page);
    return outcome;
  }
  base::Json document = base::Json::object();
  document["ok"] = ok;
  document["workflows"] = std::move(workflows);
  document["findings"] = base::Json::array();
  for (const phases::Finding& finding : targets->place_findings) {
    document["findings"].push_back(phases::to_json(finding));
  }
  if (asks_project) {
    for (const phases::Finding& finding : project.findings) {
      document["findings"].push_back(phases::to_json(finding));
    }
  }
  outcome.out = base::dump_pretty(document) + "\n";
  return outcome;
}

}  // namespace phasegate::app::cli
