#include "phases/workflow_json.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json.h"
#include "base/text.h"

namespace phasegate::phases {
namespace {

using base::Json;

constexpr std::string_view kCode = "damaged_definition";

// --- writing ---

Json scalar_json(const Scalar& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

Json scalars_json(const std::vector<Scalar>& values) {
  Json json = Json::array();
  for (const Scalar& value : values) json.push_back(scalar_json(value));
  return json;
}

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
  return json;
}

Json gate_json(const Gate& gate) {
  Json json = Json::object();
  json["requirements"] = Json::array();
  for (const Requirement& requirement : gate.requirements) {
    json["requirements"].push_back(requirement_json(requirement));
  }
  json["weak"] = gate.weak;
  if (gate.none) json["none"] = true;
  json["human_approval"] = gate.human_approval;
  json["human_approval_source"] = source_json(gate.human_approval_source);
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

// --- reading ---

/// Reads the members of one object and remembers the first thing that is wrong, so that a reader
/// is a plain list of members. Every member must be asked for: what nobody asked for is unknown.
class Members {
 public:
  Members(const Json& json, std::string where, std::optional<base::Error>& error)
      : json_(json), where_(std::move(where)), error_(error) {
    if (!json_.is_object()) fail("", "an object");
  }
  ~Members() = default;
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  /// Reports members that nobody asked for.
  void finish() {
    if (error_ || !json_.is_object()) return;
    for (const auto& [name, value] : json_.items()) {
      if (std::find(asked_.begin(), asked_.end(), name) == asked_.end()) {
        fail(name, "no such member");
      }
    }
  }

  std::string text(const char* name) {
    const Json* value = required(name);
    if (value == nullptr) return {};
    if (!value->is_string()) return fail(name, "a string"), std::string();
    return value->get<std::string>();
  }
  bool flag(const char* name) {
    const Json* value = required(name);
    if (value == nullptr) return false;
    if (!value->is_boolean()) return fail(name, "a boolean"), false;
    return value->get<bool>();
  }
  std::int64_t whole(const char* name, std::int64_t low, std::int64_t high) {
    const Json* value = required(name);
    if (value == nullptr) return low;
    const auto number = base::as_integer(*value);
    if (!number || *number < low || *number > high) return fail(name, "a whole number"), low;
    return *number;
  }
  const Json& array(const char* name) {
    static const Json kEmpty = Json::array();
    const Json* value = required(name);
    if (value == nullptr) return kEmpty;
    if (!value->is_array()) return fail(name, "an array"), kEmpty;
    return *value;
  }
  std::vector<std::string> texts(const char* name) {
    std::vector<std::string> list;
    for (const Json& item : array(name)) {
      if (!item.is_string()) return fail(name, "an array of strings"), list;
      list.push_back(item.get<std::string>());
    }
    return list;
  }
  /// A list that is written only where it holds something.
  std::vector<std::string> optional_texts(const char* name) {
    if (base::find_member(json_, name) == nullptr)
      return optional(name), std::vector<std::string>();
    return texts(name);
  }
  Source source(const char* name) {
    const Json& parts = array(name);
    if (error_) return {};
    const auto line_at = [&](std::size_t i) {
      const std::int64_t line = parts.size() == 3 ? base::as_integer(parts[i]).value_or(-1) : -1;
      return line > INT32_MAX ? -1 : static_cast<int>(line);
    };
    const int line = line_at(1);
    const int line_end = line_at(2);
    if (line < 0 || line_end < 0 || !parts[0].is_string()) {
      return fail(name, "[file, line, line_end]"), Source();
    }
    return {parts[0].get<std::string>(), line, line_end};
  }
  /// A member that is written only where it differs from `otherwise`.
  bool optional_flag(const char* name, bool otherwise) {
    const Json* value = optional(name);
    if (value == nullptr) return otherwise;
    if (!value->is_boolean()) return fail(name, "a boolean"), otherwise;
    return value->get<bool>();
  }
  std::vector<Scalar> optional_scalars(const char* name) {
    std::vector<Scalar> scalars;
    const Json* values = optional(name);
    if (values == nullptr) return scalars;
    if (!values->is_array() || values->empty()) return fail(name, "a list of values"), scalars;
    for (const Json& value : *values) {
      if (auto one = scalar(name, value)) scalars.push_back(*one);
    }
    return scalars;
  }
  std::optional<double> optional_number(const char* name) {
    const Json* value = optional(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number()) return fail(name, "a number"), std::nullopt;
    return value->get<double>();
  }
  std::optional<std::int64_t> optional_length(const char* name) {
    const Json* value = optional(name);
    if (value == nullptr) return std::nullopt;
    const auto number = base::as_integer(*value);
    if (!number || *number < 0) return fail(name, "a length"), std::nullopt;
    return number;
  }
  std::optional<std::string> optional_text(const char* name) {
    const Json* value = optional(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) return fail(name, "a string"), std::nullopt;
    return value->get<std::string>();
  }
  std::optional<Scalar> scalar(const char* name, const Json& value) {
    if (value.is_boolean()) return Scalar(value.get<bool>());
    if (value.is_string()) return Scalar(value.get<std::string>());
    if (value.is_number_float()) return Scalar(value.get<double>());
    if (const auto number = base::as_integer(value)) return Scalar(*number);
    return fail(name, "a single value"), std::nullopt;
  }
  const Json* optional(const char* name) {
    asked_.emplace_back(name);
    return error_ ? nullptr : base::find_member(json_, name);
  }
  const Json* required(const char* name) {
    const Json* value = optional(name);
    if (value == nullptr && !error_) fail(name, "a member that is there");
    return value;
  }

  void fail(const std::string& name, const std::string& wanted) {
    if (error_) return;
    const std::string at = name.empty() ? where_ : where_ + "/" + name;
    error_ = base::Error{
        std::string(kCode),
        "the stored workflow is damaged at " + base::in_quotes(at) + ": wanted " + wanted,
        "start a new run of the workflow", at};
  }

 private:
  const Json& json_;
  std::string where_;
  std::optional<base::Error>& error_;
  std::vector<std::string> asked_;
};

using MaybeError = std::optional<base::Error>;

template <typename Enum, std::size_t N>
Enum enumerator(Members& members, const char* name, const std::array<Enum, N>& values) {
  const std::string word = members.text(name);
  for (const Enum value : values) {
    if (to_text(value) == word) return value;
  }
  members.fail(name, "a known word");
  return values[0];
}

constexpr std::array kTypes = {ValueType::boolean, ValueType::integer, ValueType::number,
                               ValueType::string,  ValueType::array,   ValueType::object};

ItemRule read_item_rule(const Json& json, const std::string& where, MaybeError& error) {
  Members members(json, where, error);
  ItemRule rule;
  rule.type = enumerator(members, "type", kTypes);
  rule.min_length = members.optional_length("min_length");
  rule.pattern = members.optional_text("pattern");
  rule.one_of = members.optional_scalars("one_of");
  members.finish();
  return rule;
}

Requirement read_requirement(const Json& json, const std::string& where, MaybeError& error) {
  constexpr std::array kKinds = {RequirementSource::native,      RequirementSource::correction,
                                 RequirementSource::gate_file,   RequirementSource::front_matter,
                                 RequirementSource::typed_table, RequirementSource::checkbox,
                                 RequirementSource::field,       RequirementSource::bullet,
                                 RequirementSource::table_row,   RequirementSource::command,
                                 RequirementSource::prose,       RequirementSource::sample_call,
                                 RequirementSource::metadata,    RequirementSource::synthetic};
  constexpr std::array kConfidences = {Confidence::high, Confidence::medium, Confidence::low};
  Members members(json, where, error);
  Requirement requirement;
  requirement.name = members.text("name");
  requirement.type = enumerator(members, "type", kTypes);
  requirement.required = members.flag("required");
  requirement.description = members.text("description");
  requirement.kind = enumerator(members, "kind", kKinds);
  requirement.source = members.source("source");
  if (members.optional("confidence") != nullptr) {
    requirement.confidence = enumerator(members, "confidence", kConfidences);
  }
  requirement.aliases = members.optional_texts("aliases");
  requirement.minimum = members.optional_number("minimum");
  requirement.maximum = members.optional_number("maximum");
  requirement.exclusive_minimum = members.optional_number("exclusive_minimum");
  requirement.exclusive_maximum = members.optional_number("exclusive_maximum");
  requirement.min_length = members.optional_length("min_length");
  requirement.max_length = members.optional_length("max_length");
  requirement.min_items = members.optional_length("min_items");
  requirement.max_items = members.optional_length("max_items");
  if (const Json* items = members.optional("items")) {
    requirement.items = read_item_rule(*items, where + "/items", error);
  }
  requirement.pattern = members.optional_text("pattern");
  requirement.format = members.optional_text("format");
  if (const Json* value = members.optional("constant")) {
    requirement.constant = members.scalar("constant", *value);
  }
  requirement.one_of = members.optional_scalars("one_of");
  requirement.false_allowed = members.flag("false_allowed");
  requirement.example = members.optional_text("example").value_or("");
  requirement.artifact = members.optional_flag("artifact", true);
  members.finish();
  return requirement;
}

Gate read_gate(const Json& json, const std::string& where, MaybeError& error) {
  Members members(json, where, error);
  Gate gate;
  std::size_t index = 0;
  for (const Json& item : members.array("requirements")) {
    gate.requirements.push_back(
        read_requirement(item, where + "/requirements/" + std::to_string(index++), error));
    if (error) return gate;
  }
  gate.weak = members.flag("weak");
  gate.none = members.optional_flag("none", false);
  gate.human_approval = members.flag("human_approval");
  gate.human_approval_source = members.source("human_approval_source");
  gate.asks_leniency = members.flag("asks_leniency");
  gate.source = members.source("source");
  members.finish();
  return gate;
}

Task read_task(const Json& json, const std::string& where, MaybeError& error) {
  Members members(json, where, error);
  Task task;
  task.number = members.text("number");
  task.name = members.text("name");
  task.file = members.text("file");
  task.source = members.source("source");
  members.finish();
  return task;
}

Phase read_phase(const Json& json, const std::string& where, MaybeError& error) {
  Members members(json, where, error);
  Phase phase;
  phase.id = members.text("id");
  if (!is_phase_id(phase.id)) members.fail("id", "a phase's id");
  phase.title = members.text("title");
  phase.purpose = members.text("purpose");
  phase.file = members.text("file");
  std::size_t index = 0;
  for (const Json& item : members.array("tasks")) {
    phase.tasks.push_back(read_task(item, where + "/tasks/" + std::to_string(index++), error));
    if (error) return phase;
  }
  if (const Json* gate = members.required("gate")) {
    phase.gate = read_gate(*gate, where + "/gate", error);
  }
  phase.source = members.source("source");
  members.finish();
  return phase;
}

DynamicPhases read_dynamic(const Json& json, const std::string& where, MaybeError& error) {
  Members members(json, where, error);
  DynamicPhases dynamic;
  dynamic.input = members.text("input");
  dynamic.file = members.text("file");
  dynamic.phase_template = members.text("phase_template");
  dynamic.task_template = members.text("task_template");
  dynamic.source = members.source("source");
  members.finish();
  return dynamic;
}

Document read_document(const Json& json, const std::string& where, MaybeError& error) {
  Members members(json, where, error);
  Document document;
  document.path = members.text("path");
  document.hash = members.text("hash");
  document.bytes = static_cast<std::uint64_t>(members.whole("bytes", 0, INT64_MAX));
  document.phase = members.text("phase");
  document.withheld = members.flag("withheld");
  document.links = members.texts("links");
  members.finish();
  return document;
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
  json["input"] = Json::array();
  for (const Requirement& input : workflow.input) json["input"].push_back(requirement_json(input));
  json["input_closed"] = workflow.input_closed;
  json["documents"] = Json::array();
  for (const auto& [path, document] : workflow.documents) {
    json["documents"].push_back(document_json(document));
  }
  return json;
}

base::Result<Workflow> workflow_from_json(const Json& json) {
  MaybeError error;
  Members members(json, "", error);
  const std::int64_t version = members.whole("model_version", 1, INT32_MAX);
  if (!error && version > Workflow::kModelVersion) {
    return base::Error{std::string(kCode),
                       "the stored workflow has model version " + std::to_string(version) +
                           ", this program knows " + std::to_string(Workflow::kModelVersion),
                       "use a newer phasegate", "/model_version"};
  }
  Workflow workflow;
  workflow.id = members.text("id");
  workflow.aliases = members.texts("aliases");
  workflow.title = members.text("title");
  workflow.description = members.text("description");
  workflow.version = members.text("version");
  std::size_t index = 0;
  for (const Json& item : members.array("phases")) {
    workflow.phases.push_back(read_phase(item, "/phases/" + std::to_string(index++), error));
    if (error) return *error;
  }
  if (const Json* dynamic = members.optional("dynamic")) {
    workflow.dynamic = read_dynamic(*dynamic, "/dynamic", error);
  }
  workflow.dynamic_reason = members.text("dynamic_reason");
  workflow.complete_message = members.text("complete_message");
  // Model version 1 knew neither outlines nor inputs.
  if (version >= 2) {
    workflow.outline = members.flag("outline");
    index = 0;
    for (const Json& item : members.array("input")) {
      workflow.input.push_back(read_requirement(item, "/input/" + std::to_string(index++), error));
      if (error) return *error;
    }
    workflow.input_closed = members.flag("input_closed");
  }
  index = 0;
  for (const Json& item : members.array("documents")) {
    Document document = read_document(item, "/documents/" + std::to_string(index++), error);
    if (error) return *error;
    std::string path = document.path;
    if (!workflow.documents.emplace(std::move(path), std::move(document)).second) {
      members.fail("documents", "each path once");
    }
  }
  members.finish();
  if (error) return *error;
  return workflow;
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
