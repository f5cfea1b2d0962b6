#include "mcp/tools/criteria.h"

#include "base/json.h"
#include "base/text.h"
#include "phases/requirement_words.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::engine::PhaseView;
using phases::Requirement;

namespace {

/// Beyond this the criteria would crowd out the phase's own text.
constexpr std::size_t kCriteriaBytesPreferred = 5000;
constexpr std::size_t kShortDescriptionChars = 60;

Json assemble(const PhaseView& phase, Json schema) {
  const phases::Gate& gate = phase.phase->gate;
  Json criteria = {{"evidence_schema", std::move(schema)}, {"example", phase.gate->example()}};
  if (!phase.gate->example_is_complete()) {
    criteria["example_note"] = "texts in angle brackets say what the text has to be";
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

void add_criteria(Answer& answer, const PhaseView& phase) {
  const phases::Gate& gate = phase.phase->gate;
  const std::string source = phases::to_text(gate.source);
  answer.line("## Evidence that the gate of phase " + phase.phase->id + " requires" +
              (source.empty() ? "" : " (" + source + ")"));
  if (gate.weak) {
    answer.line("Weak gate: the documents require nothing here, so a summary is asked for.");
  }
  const bool crowded = criteria_json(phase).dump().size() > kCriteriaBytesPreferred;
  for (const Requirement& requirement : gate.requirements) {
    std::string line = "- " + requirement.name + ": " + phases::type_and_rules(requirement);
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
    answer.line("(texts in angle brackets say what the text has to be)");
  }
}

}  // namespace phasegate::mcp::tools
