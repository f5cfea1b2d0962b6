#include "phases/native/input.h"

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "phases/native/evidence.h"

namespace phasegate::phases {
namespace {

using Kind = YamlNode::Kind;

void read_properties(const YamlNode& node, const NativeReport& report, Workflow& workflow) {
  if (node.is_null()) return;
  if (node.kind != Kind::map) {
    return report.wrong_type("properties of input", "a map of inputs", node);
  }
  if (node.members.size() > base::limits::kInputsMax) {
    return report.error("too_many_inputs",
                        "there are " + std::to_string(node.members.size()) +
                            " inputs, the limit is " + std::to_string(base::limits::kInputsMax),
                        "ask for one input of type object", report.at(node));
  }
  for (const auto& field : node.members) {
    if (auto input = read_native_field(field, FieldUse::input, report)) {
      workflow.input.push_back(std::move(*input));
    }
  }
}

void read_required(const YamlNode& node, const YamlNode* properties, const NativeReport& report,
                   Workflow& workflow) {
  if (node.is_null()) return;
  if (node.kind != Kind::sequence) {
    return report.wrong_type("required of input", "a list of names", node);
  }
  std::vector<std::string> names;
  if (properties != nullptr) {
    for (const auto& member : properties->members) names.push_back(member.name);
  }
  for (const YamlNode& item : node.items) {
    const auto name = report.text(item, "a name in required of input");
    if (!name) continue;
    const auto input = std::find_if(workflow.input.begin(), workflow.input.end(),
                                    [&](const Requirement& known) { return known.name == *name; });
    if (input != workflow.input.end()) {
      input->required = true;
      continue;
    }
    // A property that could not be read has its own finding.
    if (std::find(names.begin(), names.end(), *name) != names.end()) continue;
    const auto nearest = base::nearest_name(*name, names);
    report.error("unknown_input",
                 "required of input names " + base::in_quotes(base::shortened(*name, 60)) +
                     ", which is not among its properties",
                 nearest ? "did you mean " + *nearest + "?" : "add it to properties",
                 report.at(item));
  }
}

}  // namespace

void read_native_input(const YamlNode& node, const NativeReport& report, Workflow& workflow) {
  if (node.is_null()) return;
  if (node.kind != Kind::map) {
    return report.wrong_type("input", "a JSON Schema object", node,
                             "write input: {type: object, properties: {…}}");
  }
  report.refuse_other_keys(node, native_input_keys(), "input");
  if (const YamlNode* type = node.find("type")) {
    bool later = false;
    static const NativeKeys kObject = {{"object"}, {}};
    (void)report.word(*type, kObject, "the type of input", later);
  }
  const YamlNode* properties = node.find("properties");
  if (properties != nullptr) read_properties(*properties, report, workflow);
  if (const YamlNode* required = node.find("required")) {
    read_required(*required, properties, report, workflow);
  }
  if (const YamlNode* more = node.find("additionalProperties")) {
    workflow.input_closed = !report.flag(*more, "additionalProperties of input").value_or(false);
  }
}

}  // namespace phasegate::phases
