#include <algorithm>

#include "app/cli/layout.h"
#include "app/cli/render.h"
#include "app/cli/render_findings.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/text.h"
#include "gating/definition.h"
#include "phases/workflow_json.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using gating::engine::FoundWorkflow;
using phases::Finding;
using phases::Severity;

constexpr std::size_t kNameBytesShown = 128;
constexpr std::size_t kTextBytesShown = 400;
constexpr std::size_t kReasonBytesShown = 200;

/// The first paragraph of a description, on one line.
std::string in_one_line(std::string_view text) {
  text = base::trimmed(text);
  text = text.substr(0, text.find("\n\n"));
  std::string line;
  for (const std::string_view part : base::split(text, '\n')) {
    const std::string_view words = base::trimmed(part);
    if (words.empty()) continue;
    line += (line.empty() ? "" : " ") + std::string(words);
  }
  return line;
}

std::string phases_words(const phases::Workflow& workflow) {
  const std::string count = base::counted(workflow.phases.size(), "phase");
  if (workflow.dynamic) return count + ", and those of the spec that a start names";
  return workflow.dynamic_reason.empty() ? count : count + ", and more that are not known yet";
}

std::string one_workflow(const FoundWorkflow& workflow, const Page& page) {
  const phases::LoadedWorkflow& loaded = *workflow.loaded;
  const phases::Workflow& model = loaded.workflow;
  const auto reason = why_not_startable(loaded);
  std::string head = page.in(Tone::strong, shown_short(workflow.id, kNameBytesShown));
  if (!model.version.empty()) head += " " + shown_short(model.version, kNameBytesShown);
  head +=
      "  " + page.in(Tone::faint, "(" + shown(workflow.place) + ", " + phases_words(model) + ")");
  std::string text = wrapped(head, page.width, 0, 2);
  std::string about;
  if (!model.title.empty() && model.title != model.id) about = model.title;
  const std::string description = in_one_line(model.description);
  if (!description.empty() && description != about) {
    about += (about.empty() ? "" : ". ") + description;
  }
  text += wrapped(shown_short(about, kTextBytesShown), page.width, 2, 2);
  if (reason) {
    const std::string where = reason->where.empty() ? "" : " (" + shown_value(reason->where) + ")";
    text += wrapped(page.in(Tone::bad, "cannot be started: ") +
                        shown_short(reason->message, kReasonBytesShown) + where,
                    page.width, 2, 4);
  } else if (const std::size_t warnings = count(loaded.findings, Severity::warning); warnings > 0) {
    text += wrapped(page.in(Tone::caution, base::counted(warnings, "warning")), page.width, 2, 4);
  }
  return text;
}

}  // namespace

std::size_t count(const std::vector<Finding>& findings, Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const Finding& finding) { return finding.severity == severity; }));
}

Tone tone_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return Tone::bad;
    case Severity::warning:
      return Tone::caution;
    case Severity::info:
      return Tone::faint;
  }
  return Tone::bad;
}

std::optional<base::Error> why_not_startable(const phases::LoadedWorkflow& loaded) {
  for (const Finding& finding : loaded.findings) {
    if (finding.severity != Severity::error) continue;
    return base::Error{finding.code, finding.message, finding.hint,
                       phases::to_text(finding.source)};
  }
  auto made = gating::Definition::make(loaded.content_hash, loaded.workflow);
  if (made) return std::nullopt;
  return std::move(made).error();
}

std::string workflows_text(const std::vector<FoundWorkflow>& found, const WorkflowNotes& notes,
                           const Page& page) {
  std::string text;
  if (found.empty()) {
    text = "No workflows. They are looked for in:\n";
    for (const phases::Place& place : notes.places) text += "  " + shown(place.name) + "\n";
  }
  bool broken = false;
  for (const FoundWorkflow& workflow : found) {
    text += one_workflow(workflow, page);
    broken = broken || why_not_startable(*workflow.loaded).has_value();
  }
  std::string after = place_findings_text(notes.place_findings, page);
  after += wrapped(shown(notes.elsewhere), page.width, 0, 2);
  if (broken)
    after += wrapped("`phasegate validate NAME` shows all that is wrong.", page.width, 0, 2);
  return text + (after.empty() ? "" : "\n" + after);
}

Json workflows_json(const std::vector<FoundWorkflow>& found,
                    const std::vector<Finding>& place_findings) {
  Json json = Json::object();
  json["workflows"] = Json::array();
  for (const FoundWorkflow& workflow : found) {
    const phases::LoadedWorkflow& loaded = *workflow.loaded;
    const auto reason = why_not_startable(loaded);
    Json row = Json::object();
    row["id"] = workflow.id;
    row["aliases"] = loaded.workflow.aliases;
    row["title"] = loaded.workflow.title;
    row["description"] = loaded.workflow.description;
    row["version"] = loaded.workflow.version;
    row["place"] = workflow.place;
    row["startable"] = !reason.has_value();
    row["reason"] = reason ? Json(base::to_text(*reason)) : Json(nullptr);
    row["total_phases"] = loaded.workflow.phases.size();
    row["dynamic"] = loaded.workflow.dynamic.has_value() || !loaded.workflow.dynamic_reason.empty();
    row["errors"] = count(loaded.findings, Severity::error);
    row["warnings"] = count(loaded.findings, Severity::warning);
    row["content_hash"] = loaded.content_hash;
    json["workflows"].push_back(std::move(row));
  }
  json["findings"] = Json::array();
  for (const Finding& finding : place_findings)
    json["findings"].push_back(phases::to_json(finding));
  return json;
}

}  // namespace phasegate::app::cli
