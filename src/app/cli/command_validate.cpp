#include <algorithm>

#include "app/cli/commands.h"
#include "app/cli/layout.h"
#include "app/cli/render.h"
#include "app/cli/render_validate.h"
#include "app/cli/validate_targets.h"
#include "base/json.h"
#include "base/text.h"
#include "phases/workflow_json.h"

namespace phasegate::app::cli {
namespace {

using phases::Severity;

/// What is to be said of all of them together.
struct Verdict {
  std::size_t broken = 0;
  std::size_t warnings = 0;

  void add(const phases::LoadedWorkflow& loaded) {
    if (!loaded.startable()) ++broken;
    warnings += count(loaded.findings, Severity::warning);
  }
  [[nodiscard]] bool ok(bool strict) const { return broken == 0 && (!strict || warnings == 0); }
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

}  // namespace

Outcome validate(const Invocation& invocation, const Environment& environment, const Page& page) {
  auto targets = find_targets(invocation, environment);
  if (!targets) {
    const bool usage = targets.error().code == "usage";
    return failed(usage ? ExitCode::usage : ExitCode::not_ok, targets.error());
  }
  Verdict verdict;
  for (const phases::Finding& finding : targets->place_findings) {
    if (finding.severity == Severity::error) ++verdict.broken;
  }
  Outcome outcome;
  base::Json workflows = base::Json::array();
  for (Target& target : targets->workflows) {
    add_gate_findings(target.loaded);
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
  outcome.out = base::dump_pretty(document) + "\n";
  return outcome;
}

}  // namespace phasegate::app::cli
