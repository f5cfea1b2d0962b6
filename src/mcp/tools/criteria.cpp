#include "mcp/tools/criteria.h"

#include "base/json.h"
#include "base/text.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::engine::PhaseView;
using phases::Requirement;

namespace {

/// Beyond this the criteria would crowd out the phase's own text.
constexpr std::size_t kCriteriaBytesPreferred = 5000;
constexpr std::size_t kShortDescriptionChars = 60;

std::string scalar_text(const phases::Scalar& scalar) {
  return base::dump(std::visit([](const auto& value) { return Json(value); }, scalar));
}

Json assemble(const PhaseView& phase, Json schema) {
  const phases::Gate& gate = phase.phase->gate;
  Json criteria = {{"evidence_schema", std::move(schema)}, {"example", phase.gate->example()}};
  if (!phase.gate->example_is_complete()) {
    criteria["example_note"] = "texts in angle brackets stand for a text that matches the pattern";
  }
  criteria["checks"] = Json::array();
  criteria["decision"] = gate.human_approval
                             ? Json("a person's approval is required; you cannot give it")
                             : Json(nullptr);
  criteria["source"] = phases::to_text(gate.source);
  if (gate.weak) criteria["weak_gate"] = true;
  return criteria;
}

}  // namespace

Json criteria_json(const PhaseView& phase) {
  Json criteria = assemble(phase, phase.gate->schema());
  for (const std::size_t length : {kShortDescriptionChars, std::size_t{0}}) {
    if (base::dump(criteria).size() <= kCriteriaBytesPreferred) break;
    for (auto& [name, field] : criteria["evidence_schema"]["properties"].items()) {
      if (!field.contains("description")) continue;
      if (length == 0) {
        field.erase("description");
      } else {
        field["description"] =
            base::shortened(field["description"].get_ref<const std::string&>(), length);
      }
    }
  }
  return criteria;
}

std::string rules_in_words(const Requirement& requirement) {
  std::string words(phases::to_text(requirement.type));
  const auto add = [&](const std::string& rule) { words += ", " + rule; };
  if (!requirement.required) add("optional");
  if (requirement.constant) {
    add("must be " + scalar_text(*requirement.constant));
  } else if (requirement.type == phases::ValueType::boolean && requirement.required &&
             !requirement.false_allowed && requirement.one_of.empty()) {
    add("must be true");
  }
  if (!requirement.one_of.empty()) {
    std::string values = "one of";
    for (const auto& value : requirement.one_of) values += " " + scalar_text(value);
    add(values);
  }
  if (requirement.minimum) add("at least " + base::number_text(*requirement.minimum));
  if (requirement.maximum) add("at most " + base::number_text(*requirement.maximum));
  if (requirement.exclusive_minimum) {
    add("more than " + base::number_text(*requirement.exclusive_minimum));
  }
  if (requirement.exclusive_maximum) {
    add("less than " + base::number_text(*requirement.exclusive_maximum));
  }
  if (requirement.min_items) add("at least " + std::to_string(*requirement.min_items) + " items");
  if (requirement.min_length.value_or(0) > 1) {
    add("at least " + std::to_string(*requirement.min_length) + " characters");
  } else if (requirement.type == phases::ValueType::string && requirement.required) {
    add("not empty");
  }
  if (requirement.pattern) add("matching " + *requirement.pattern);
  if (requirement.format) add("in the format " + *requirement.format);
  return words;
}

void add_criteria(Answer& answer, const PhaseView& phase) {
  const phases::Gate& gate = phase.phase->gate;
  answer.line("## Evidence that the gate of phase " + phase.phase->id + " requires (" +
              phases::to_text(gate.source) + ")");
  if (gate.weak) {
    answer.line("Weak gate: the documents require nothing here, so a summary is asked for.");
  }
  const bool crowded = criteria_json(phase).dump().size() > kCriteriaBytesPreferred;
  for (const Requirement& requirement : gate.requirements) {
    std::string line = "- " + requirement.name + ": " + rules_in_words(requirement);
    if (!requirement.description.empty()) {
      line += " – " + base::shortened(requirement.description,
                                      crowded ? kShortDescriptionChars : std::size_t{300});
    }
    answer.line(line);
  }
  if (gate.human_approval) {
    answer.line("- a person's approval is required as well; you cannot give it");
  }
  answer.line("Example: " + base::dump(phase.gate->example()));
  if (!phase.gate->example_is_complete()) {
    answer.line("(texts in angle brackets stand for a text that matches the pattern)");
  }
}

}  // namespace phasegate::mcp::tools
