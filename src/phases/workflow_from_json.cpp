#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/json.h"
#include "phases/decision_json.h"
#include "phases/stored_members.h"
#include "phases/workflow_json.h"

namespace phasegate::phases {
namespace {

using base::Json;
using Members = StoredMembers;

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
  requirement.check = members.optional_text("check").value_or("");
  requirement.secret = members.optional_flag("secret", false);
  members.finish();
  return requirement;
}

Check read_check(const Json& json, const std::string& where, MaybeError& error) {
  Members members(json, where, error);
  Check check;
  check.name = members.text("name");
  const auto kind = check_kind_from(members.text("kind"));
  if (kind) {
    check.kind = *kind;
  } else {
    members.fail("kind", "a known kind of check");
  }
  if (const Json* parameters = members.required("parameters")) {
    if (!parameters->is_object()) members.fail("parameters", "an object");
    check.parameters = base::dump(*parameters);
  }
  check.error = members.optional_text("error").value_or("");
  check.cache_inputs = members.optional_flag("cache_inputs", false);
  check.source = members.source("source");
  members.finish();
  return check;
}

/// A list that is written only where it holds something.
std::vector<Check> read_checks(Members& members, const std::string& where, MaybeError& error) {
  std::vector<Check> checks;
  if (members.optional("checks") == nullptr) return checks;
  std::size_t index = 0;
  for (const Json& item : members.array("checks")) {
    checks.push_back(read_check(item, where + "/checks/" + std::to_string(index++), error));
    if (error) break;
  }
  return checks;
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
  gate.checks = read_checks(members, where, error);
  if (error) return gate;
  gate.weak = members.flag("weak");
  gate.none = members.optional_flag("none", false);
  gate.human_approval = members.flag("human_approval");
  gate.human_approval_source = members.source("human_approval_source");
  if (const Json* decision = members.optional("decision")) {
    gate.decision = read_decision_demand(*decision, where + "/decision", error);
  }
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
  phase.by_person = members.optional_flag("by_person", false);
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

ProtectedDatabase read_protected(const Json& json, const std::string& where, MaybeError& error) {
  Members members(json, where, error);
  ProtectedDatabase database;
  database.path = members.text("path");
  database.backups = static_cast<int>(members.whole("backups", 1, INT32_MAX));
  database.source = members.source("source");
  members.finish();
  return database;
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

base::Result<Workflow> workflow_from_json(const Json& json) {
  MaybeError error;
  Members members(json, "", error);
  const std::int64_t version = members.whole("model_version", 1, INT32_MAX);
  if (!error && version > Workflow::kModelVersion) {
    return base::Error{std::string(StoredMembers::kCode),
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
  if (version >= 6) workflow.passages_on_refusal = members.flag("passages_on_refusal");
  workflow.checks = read_checks(members, "", error);
  if (error) return *error;
  if (members.optional("protect") != nullptr) {
    index = 0;
    for (const Json& item : members.array("protect")) {
      workflow.protect.push_back(
          read_protected(item, "/protect/" + std::to_string(index++), error));
      if (error) return *error;
    }
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

}  // namespace phasegate::phases
