#include <algorithm>

#include "app/cli/render.h"
#include "app/cli/requirement_text.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/text.h"
#include "gating/definition.h"
#include "gating/evidence.h"
#include "phases/requirement_words.h"
#include "phases/workflow_json.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using phases::Finding;
using phases::Phase;
using phases::Severity;

std::size_t count(const std::vector<Finding>& findings, Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const Finding& finding) { return finding.severity == severity; }));
}

std::string finding_text(const Finding& finding) {
  std::string text = "  " + std::string(phases::to_text(finding.severity));
  if (!finding.source.file.empty()) text += " " + shown(phases::to_text(finding.source));
  text += " " + shown(finding.code) + ": " + shown(finding.message) + "\n";
  if (!finding.hint.empty()) text += "      " + shown(finding.hint) + "\n";
  return text;
}

std::string phase_text(const Phase& phase) {
  std::string text = "\n  Phase " + shown(phase.id);
  if (!phase.title.empty()) text += "  " + shown(phase.title);
  text += "\n    text: " + (phase.file.empty() ? std::string("missing") : shown(phase.file)) +
          ", " + base::counted(phase.tasks.size(), "task") + "\n";
  for (const std::string& mark : gate_marks(phase.gate)) text += "    " + shown(mark) + "\n";
  std::vector<std::vector<std::string>> rows;
  for (const phases::Requirement& requirement : phase.gate.requirements) {
    const bool has_line = !requirement.source.file.empty();
    rows.push_back({shown(requirement.name), std::string(phases::to_text(requirement.type)),
                    shown(phases::rules_in_words(requirement)),
                    has_line ? shown(phases::to_text(requirement.source))
                             : std::string(phases::to_text(requirement.kind))});
  }
  if (rows.empty()) return text + "    its gate cannot be read, so it is shut\n";
  return text + "    asks for:\n" + columns(rows, 6);
}

Json requirement_json(const phases::Requirement& requirement) {
  Json json = Json::object();
  json["name"] = requirement.name;
  json["type"] = phases::to_text(requirement.type);
  json["required"] = requirement.required;
  json["rules"] = phases::rules_in_words(requirement);
  json["description"] = requirement.description;
  json["from"] = phases::to_text(requirement.kind);
  json["source"] = phases::to_text(requirement.source);
  return json;
}

Json phase_json(const Phase& phase, bool compiles) {
  Json json = Json::object();
  json["id"] = phase.id;
  json["title"] = phase.title;
  json["file"] = phase.file;
  json["tasks"] = Json::array();
  for (const phases::Task& task : phase.tasks) {
    json["tasks"].push_back({{"number", task.number}, {"name", task.name}, {"file", task.file}});
  }
  Json gate = Json::object();
  gate["source"] = phases::to_text(phase.gate.source);
  gate["weak"] = phase.gate.weak;
  gate["human_approval"] = phase.gate.human_approval;
  gate["asks_leniency"] = phase.gate.asks_leniency;
  gate["requirements"] = Json::array();
  for (const phases::Requirement& requirement : phase.gate.requirements) {
    gate["requirements"].push_back(requirement_json(requirement));
  }
  gate["evidence_schema"] = compiles ? gating::evidence_schema(phase.gate) : Json(nullptr);
  gate["example"] = compiles ? gating::evidence_example(phase.gate) : Json(nullptr);
  json["gate"] = std::move(gate);
  return json;
}

/// `phases/1/phase.md:12` as to_text writes it; anything else is the file as a whole.
phases::Source source_from(const std::string& where) {
  const std::size_t colon = where.rfind(':');
  if (colon == std::string::npos || colon + 1 == where.size() || where.size() - colon > 9 ||
      where.find_first_not_of("0123456789", colon + 1) != std::string::npos) {
    return {where, 0, 0};
  }
  return {where.substr(0, colon), std::stoi(where.substr(colon + 1)), 0};
}

}  // namespace

void add_gate_findings(phases::LoadedWorkflow& loaded) {
  if (loaded.workflow.phases.empty() && !loaded.startable()) return;
  bool broken = false;
  for (const Phase& phase : loaded.workflow.phases) {
    auto compiled = gating::EvidenceGate::compile(phase.gate);
    if (compiled) continue;
    const base::Error& error = compiled.error();
    broken = true;
    loaded.findings.push_back({Severity::error, error.code, error.message, error.hint,
                               source_from(error.where), phase.id});
  }
  if (broken) return;
  // What concerns the definition as a whole, such as two phases with one id.
  auto made = gating::Definition::make(loaded.content_hash, loaded.workflow);
  if (made || !loaded.startable()) return;
  const base::Error& error = made.error();
  loaded.findings.push_back(
      {Severity::error, error.code, error.message, error.hint, source_from(error.where), ""});
}

std::string validate_text(const Validated& validated) {
  const phases::LoadedWorkflow& loaded = validated.loaded;
  const phases::Workflow& workflow = loaded.workflow;
  std::string text = shown(workflow.id);
  if (!workflow.version.empty()) text += " " + shown(workflow.version);
  if (!workflow.title.empty() && workflow.title != workflow.id) {
    text += "  " + shown(workflow.title);
  }
  text += "  (" + shown(validated.shown_path) + ")\n";
  for (const Finding& finding : loaded.findings) text += finding_text(finding);
  for (const Phase& phase : workflow.phases) text += phase_text(phase);
  if (!workflow.dynamic_reason.empty()) {
    text += "\n  After the last phase the session waits: " + shown(workflow.dynamic_reason) + "\n";
  }
  text += "\n  " + base::counted(count(loaded.findings, Severity::error), "error") + ", " +
          base::counted(count(loaded.findings, Severity::warning), "warning") + ", " +
          base::counted(count(loaded.findings, Severity::info), "note") + ": " +
          (loaded.startable() ? "can be started" : "cannot be started") + "\n";
  return text;
}

Json validate_json(const Validated& validated) {
  const phases::LoadedWorkflow& loaded = validated.loaded;
  Json json = Json::object();
  json["path"] = validated.shown_path;
  json["id"] = loaded.workflow.id;
  json["title"] = loaded.workflow.title;
  json["version"] = loaded.workflow.version;
  json["startable"] = loaded.startable();
  json["content_hash"] = loaded.content_hash;
  json["errors"] = count(loaded.findings, Severity::error);
  json["warnings"] = count(loaded.findings, Severity::warning);
  json["notes"] = count(loaded.findings, Severity::info);
  json["dynamic_reason"] = loaded.workflow.dynamic_reason;
  json["findings"] = Json::array();
  for (const Finding& finding : loaded.findings)
    json["findings"].push_back(phases::to_json(finding));
  json["phases"] = Json::array();
  for (const Phase& phase : loaded.workflow.phases) {
    const bool compiles = gating::EvidenceGate::compile(phase.gate).ok();
    json["phases"].push_back(phase_json(phase, compiles));
  }
  return json;
}

}  // namespace phasegate::app::cli
