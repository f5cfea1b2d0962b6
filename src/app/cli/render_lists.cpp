#include <algorithm>

#include "app/cli/render.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/text.h"
#include "gating/definition.h"
#include "phases/workflow_json.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using gating::engine::FoundWorkflow;
using gating::engine::RunSummary;
using phases::Finding;
using phases::Severity;

constexpr std::size_t kTitleBytesShown = 60;
constexpr std::size_t kReasonBytesShown = 200;

std::size_t count(const std::vector<Finding>& findings, Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const Finding& finding) { return finding.severity == severity; }));
}

std::string findings_line(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += std::string(phases::to_text(finding.severity)) + " " + shown(finding.code) + ": " +
            shown(finding.message) + "\n";
    if (!finding.hint.empty()) text += "    " + shown(finding.hint) + "\n";
  }
  return text;
}

std::string state_of(const RunSummary& run) {
  std::string text(gating::to_text(run.status));
  if (run.status == gating::RunStatus::completed && run.partial) text += " (partial)";
  return text;
}

}  // namespace

std::string sessions_text(const std::vector<RunSummary>& runs, bool more,
                          std::string_view options) {
  if (runs.empty()) return "No sessions.\n";
  std::vector<std::vector<std::string>> rows{
      {"SESSION", "STATE", "PHASE", "DONE", "WORKFLOW", "TARGET", "BRANCH", "CHANGED"}};
  for (const RunSummary& run : runs) {
    rows.push_back({run.id, state_of(run), shown(run.current_phase),
                    std::to_string(run.phases_completed), shown_short(run.workflow, 60),
                    shown_short(run.target, 60), shown_short(run.branch, 60),
                    base::to_rfc3339(run.updated_at)});
  }
  std::string text = columns(rows, 0);
  if (more) {
    text += "There are more: phasegate sessions --all" + shown(options) + "\n";
  }
  return text;
}

Json sessions_json(const std::vector<RunSummary>& runs, bool more) {
  Json json = Json::object();
  json["sessions"] = Json::array();
  for (const RunSummary& run : runs) {
    Json row = Json::object();
    row["session_id"] = run.id;
    row["workflow"] = run.workflow;
    row["status"] = gating::to_text(run.status);
    row["partial"] = run.partial;
    row["current_phase"] = run.current_phase;
    row["phases_completed"] = run.phases_completed;
    row["target_file"] = run.target;
    row["branch"] = run.branch;
    row["created_at"] = base::to_rfc3339(run.created_at);
    row["updated_at"] = base::to_rfc3339(run.updated_at);
    json["sessions"].push_back(std::move(row));
  }
  json["more"] = more;
  return json;
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

std::string workflows_text(const std::vector<FoundWorkflow>& found,
                           const std::vector<Finding>& place_findings,
                           const std::vector<phases::Place>& places) {
  std::string text;
  if (found.empty()) {
    text = "No workflows. They are looked for in:\n";
    for (const phases::Place& place : places) text += "  " + shown(place.name) + "\n";
    return text + findings_line(place_findings);
  }
  std::vector<std::vector<std::string>> rows{{"WORKFLOW", "STARTABLE", "PHASES", "TITLE", "PLACE"}};
  std::string reasons;
  for (const FoundWorkflow& workflow : found) {
    const phases::LoadedWorkflow& loaded = *workflow.loaded;
    const auto reason = why_not_startable(loaded);
    const std::size_t warnings = count(loaded.findings, Severity::warning);
    std::string startable = reason ? "no" : "yes";
    if (!reason && warnings > 0) startable += ", " + base::counted(warnings, "warning");
    rows.push_back({shown_short(workflow.id, 60), startable,
                    std::to_string(loaded.workflow.phases.size()) +
                        (loaded.workflow.dynamic_reason.empty() ? "" : "+"),
                    shown_short(loaded.workflow.title, kTitleBytesShown), shown(workflow.place)});
    if (reason) {
      reasons += "  " + shown_short(workflow.id, 60) + ": " +
                 shown_short(reason->message, kReasonBytesShown) +
                 (reason->where.empty() ? "" : " (" + shown(reason->where) + ")") + "\n";
    }
  }
  text += columns(rows, 0);
  if (!reasons.empty()) text += "\nCannot be started:\n" + reasons;
  if (!place_findings.empty()) text += "\n" + findings_line(place_findings);
  return text;
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
    row["dynamic"] = !loaded.workflow.dynamic_reason.empty();
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
