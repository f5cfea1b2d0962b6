#include "app/cli/render.h"
#include "app/cli/render_validate.h"
#include "base/json.h"
#include "gating/evidence.h"
#include "gating/evidence_example.h"
#include "gating/evidence_schema.h"
#include "phases/check_json.h"
#include "phases/decision_json.h"
#include "phases/requirement_words.h"
#include "phases/workflow_json.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using phases::Finding;
using phases::Phase;
using phases::Severity;

Json requirement_json(const phases::Requirement& requirement) {
  Json json = Json::object();
  json["name"] = requirement.name;
  json["type"] = phases::to_text(requirement.type);
  json["required"] = requirement.required;
  json["rules"] = phases::rules_in_words(requirement);
  json["description"] = requirement.description;
  json["from"] = phases::to_text(requirement.kind);
  json["source"] = phases::to_text(requirement.source);
  json["confidence"] = phases::to_text(requirement.confidence);
  json["aliases"] = requirement.aliases;
  return json;
}

Json requirements_json(const std::vector<phases::Requirement>& requirements) {
  Json json = Json::array();
  for (const phases::Requirement& requirement : requirements) {
    json.push_back(requirement_json(requirement));
  }
  return json;
}

/// What a person decides before the phase is left, the author's or the standard one.
Json decision_json(const Phase& phase) {
  const auto demand = phases::decision_demand(phase);
  if (!demand) return nullptr;
  Json json = phases::to_json(*demand);
  json["source"] = phases::to_text(demand->source);
  return json;
}

Json gate_json(const phases::Gate& gate, bool compiles) {
  Json json = Json::object();
  json["source"] = phases::to_text(gate.source);
  json["none"] = gate.none;
  json["weak"] = gate.weak;
  json["human_approval"] = gate.human_approval;
  json["asks_leniency"] = gate.asks_leniency;
  json["requirements"] = requirements_json(gate.requirements);
  json["checks"] = Json::array();
  for (const phases::Check& check : gate.checks) {
    Json one = phases::to_json(check);
    one["source"] = phases::to_text(check.source);
    json["checks"].push_back(std::move(one));
  }
  json["evidence_schema"] = compiles ? gating::evidence_schema(gate) : Json(nullptr);
  json["example"] = compiles ? gating::evidence_example(gate) : Json(nullptr);
  return json;
}

Json phase_json(const Phase& phase) {
  Json json = Json::object();
  json["id"] = phase.id;
  json["title"] = phase.title;
  json["file"] = phase.file;
  json["tasks"] = Json::array();
  for (const phases::Task& task : phase.tasks) {
    json["tasks"].push_back({{"number", task.number}, {"name", task.name}, {"file", task.file}});
  }
  json["by_person"] = phase.by_person;
  json["gate"] = gate_json(phase.gate, gating::EvidenceGate::compile(phase.gate).ok());
  json["gate"]["decision"] = decision_json(phase);
  return json;
}

}  // namespace

Json validate_json(const Validated& validated) {
  const phases::LoadedWorkflow& loaded = validated.loaded;
  const phases::Workflow& workflow = loaded.workflow;
  Json json = Json::object();
  json["path"] = validated.shown_path;
  json["id"] = workflow.id;
  json["title"] = workflow.title;
  json["version"] = workflow.version;
  json["startable"] = loaded.startable();
  json["content_hash"] = loaded.content_hash;
  json["errors"] = count(loaded.findings, Severity::error);
  json["warnings"] = count(loaded.findings, Severity::warning);
  json["notes"] = count(loaded.findings, Severity::info);
  json["dynamic_input"] = workflow.dynamic ? workflow.dynamic->input : "";
  json["dynamic_file"] = workflow.dynamic ? workflow.dynamic->file : "";
  json["dynamic_reason"] = workflow.dynamic_reason;
  json["outline"] = workflow.outline;
  json["complete_message"] = workflow.complete_message;
  json["input"] = requirements_json(workflow.input);
  json["input_closed"] = workflow.input_closed;
  json["findings"] = Json::array();
  for (const Finding& finding : loaded.findings)
    json["findings"].push_back(phases::to_json(finding));
  json["phases"] = Json::array();
  for (const Phase& phase : workflow.phases) json["phases"].push_back(phase_json(phase));
  return json;
}

}  // namespace phasegate::app::cli
