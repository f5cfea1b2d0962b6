#include "phases/workflow_json.h"

#include "base/json.h"
#include "phases/check_json.h"
#include "phases/decision_json.h"

namespace phasegate::phases {

using base::Json;

Json scalar_json(const Scalar& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

Json scalars_json(const std::vector<Scalar>& values) {
  Json json = Json::array();
  for (const Scalar& value : values) json.push_back(scalar_json(value));
  return json;
}

namespace {

Json source_json(const Source& source) {
  return Json::array({source.file, source.line, source.line_end});
}

template <typename T>
void put_optional(Json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

Json item_rule_json(const ItemRule& rule) {
  Json json = Json::object();
  json["type"] = to_text(rule.type);
  put_optional(json, "min_length", rule.min_length);
  put_optional(json, "pattern", rule.pattern);
  if (!rule.one_of.empty()) json["one_of"] = scalars_json(rule.one_of);
  return json;
}

Json requirement_json(const Requirement& requirement) {
  Json json = Json::object();
  json["name"] = requirement.name;
  json["type"] = to_text(requirement.type);
  json["required"] = requirement.required;
  json["description"] = requirement.description;
  json["kind"] = to_text(requirement.kind);
  json["source"] = source_json(requirement.source);
  if (requirement.confidence != Confidence::high) {
    json["confidence"] = to_text(requirement.confidence);
  }
  if (!requirement.aliases.empty()) json["aliases"] = requirement.aliases;
  put_optional(json, "minimum", requirement.minimum);
  put_optional(json, "maximum", requirement.maximum);
  put_optional(json, "exclusive_minimum", requirement.exclusive_minimum);
  put_optional(json, "exclusive_maximum", requirement.exclusive_maximum);
  put_optional(json, "min_length", requirement.min_length);
  put_optional(json, "max_length", requirement.max_length);
  put_optional(json, "min_items", requirement.min_items);
  put_optional(json, "max_items", requirement.max_items);
  if (requirement.items) json["items"] = item_rule_json(*requirement.items);
  put_optional(json, "pattern", requirement.pattern);
  put_optional(json, "format", requirement.format);
  if (requirement.constant) json["constant"] = scalar_json(*requirement.constant);
  if (!requirement.one_of.empty()) json["one_of"] = scalars_json(requirement.one_of);
  json["false_allowed"] = requirement.false_allowed;
  if (!requirement.example.empty()) json["example"] = requirement.example;
  if (!requirement.artifact) json["artifact"] = false;
  if (!requirement.check.empty()) json["check"] = requirement.check;
  if (requirement.secret) json["secret"] = true;
  return json;
}

Json checks_json(const std::vector<Check>& checks) {
  Json json = Json::array();
  for (const Check& check : checks) json.push_back(to_json(check));
  return json;
}

Json gate_json(const Gate& gate) {
  Json json = Json::object();
  json["requirements"] = Json::array();
  for (const Requirement& requirement : gate.requirements) {
    json["requirements"].push_back(requirement_json(requirement));
  }
  if (!gate.checks.empty()) json["checks"] = checks_json(gate.checks);
  json["weak"] = gate.weak;
  if (gate.none) json["none"] = true;
  json["human_approval"] = gate.human_approval;
  json["human_approval_source"] = source_json(gate.human_approval_source);
  if (gate.decision) json["decision"] = to_json(*gate.decision);
  json["asks_leniency"] = gate.asks_leniency;
  json["source"] = source_json(gate.source);
  return json;
}

Json phase_json(const Phase& phase) {
  Json json = Json::object();
  json["id"] = phase.id;
  json["title"] = phase.title;
  json["purpose"] = phase.purpose;
  json["file"] = phase.file;
  json["tasks"] = Json::array();
  for (const Task& task : phase.tasks) {
    Json item = Json::object();
    item["number"] = task.number;
    item["name"] = task.name;
    item["file"] = task.file;
    item["source"] = source_json(task.source);
    json["tasks"].push_back(std::move(item));
  }
  json["gate"] = gate_json(phase.gate);
  if (phase.by_person) json["by_person"] = true;
  json["source"] = source_json(phase.source);
  return json;
}

Json dynamic_json(const DynamicPhases& dynamic) {
  Json json = Json::object();
  json["input"] = dynamic.input;
  json["file"] = dynamic.file;
  json["phase_template"] = dynamic.phase_template;
  json["task_template"] = dynamic.task_template;
  json["source"] = source_json(dynamic.source);
  return json;
}

Json document_json(const Document& document) {
  Json json = Json::object();
  json["path"] = document.path;
  json["hash"] = document.hash;
  json["bytes"] = document.bytes;
  json["phase"] = document.phase;
  json["withheld"] = document.withheld;
  json["links"] = document.links;
  return json;
}

}  // namespace

Json to_json(const Workflow& workflow) {
  Json json = Json::object();
  json["model_version"] = Workflow::kModelVersion;
  json["id"] = workflow.id;
  json["aliases"] = workflow.aliases;
  json["title"] = workflow.title;
  json["description"] = workflow.description;
  json["version"] = workflow.version;
  json["phases"] = Json::array();
  for (const Phase& phase : workflow.phases) json["phases"].push_back(phase_json(phase));
  if (workflow.dynamic) json["dynamic"] = dynamic_json(*workflow.dynamic);
  json["dynamic_reason"] = workflow.dynamic_reason;
  json["complete_message"] = workflow.complete_message;
  json["outline"] = workflow.outline;
  json["passages_on_refusal"] = workflow.passages_on_refusal;
  json["input"] = Json::array();
  for (const Requirement& input : workflow.input) json["input"].push_back(requirement_json(input));
  json["input_closed"] = workflow.input_closed;
  if (!workflow.checks.empty()) json["checks"] = checks_json(workflow.checks);
  if (!workflow.protect.empty()) {
    json["protect"] = Json::array();
    for (const ProtectedDatabase& database : workflow.protect) {
      json["protect"].push_back({{"path", database.path},
                                 {"backups", database.backups},
                                 {"source", source_json(database.source)}});
    }
  }
  json["documents"] = Json::array();
  for (const auto& [path, document] : workflow.documents) {
    json["documents"].push_back(document_json(document));
  }
  return json;
}

Json to_json(const Finding& finding) {
  Json json = Json::object();
  json["severity"] = to_text(finding.severity);
  json["code"] = finding.code;
  json["message"] = finding.message;
  if (!finding.hint.empty()) json["hint"] = finding.hint;
  if (!finding.source.file.empty()) json["file"] = finding.source.file;
  if (finding.source.line > 0) json["line"] = finding.source.line;
  if (finding.source.column > 0) json["column"] = finding.source.column;
  if (!finding.phase.empty()) json["phase"] = finding.phase;
  return json;
}

}  // namespace phasegate::phases
