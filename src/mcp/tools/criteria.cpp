#include "mcp/tools/criteria.h"

#include <algorithm>
#include <array>
#include <memory>

#include "base/json.h"
#include "base/json_write.h"
#include "base/text.h"
#include "mcp/tools/checks_block.h"
#include "phases/requirement_words.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::engine::PhaseView;
using phases::Requirement;

namespace {

/// Beyond this the criteria would crowd out the phase's own text.
constexpr std::size_t kCriteriaBytesPreferred = 5000;
constexpr std::size_t kShortDescriptionChars = 60;
constexpr const char* kExampleNote = "texts in angle brackets say what the text has to be";

/// The author asked for a gate that always opens; the run does not have it.
bool leniency_is_refused(const PhaseView& phase) {
  return phase.phase->gate.asks_leniency && phase.view.run.gates == gating::GatePolicy::strict;
}

Json assemble(const PhaseView& phase) {
  constexpr std::size_t kMembersMax = 8;
  const phases::Gate& gate = phase.phase->gate;
  Json criteria = base::object_with_room(kMembersMax);
  criteria["evidence_schema"] = phase.gate->schema();
  criteria["example"] = phase.gate->example();
  if (!phase.gate->example_is_complete()) {
    criteria["example_note"] = kExampleNote;
  }
  criteria["checks"] = checks_json(phase.view.definition->checks[phase.index].checks());
  criteria["decision"] = phases::asks_a_person(*phase.phase)
                             ? Json("a person decides before this phase is left; you cannot")
                             : Json(nullptr);
  criteria["source"] = phases::to_text(gate.source);
  if (gate.none) criteria["gate"] = "none";
  if (gate.weak) criteria["weak_gate"] = true;
  if (leniency_is_refused(phase)) criteria["leniency"] = "not honoured";
  return criteria;
}

bool crowded(const Json& criteria) {
  return base::dump_size(criteria) > kCriteriaBytesPreferred;
}

/// Shortens the descriptions, then leaves them out, as far as room is wanted.
void shorten(Json& criteria) {
  for (const std::size_t length : {kShortDescriptionChars, std::size_t{0}}) {
    if (!crowded(criteria)) break;
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
}

/// A boolean that must be true needs no word about its type.
std::string words_of(const Requirement& requirement) {
  const std::string rules = phases::rules_in_words(requirement);
  return rules == "must be true" ? rules : phases::type_and_rules(requirement);
}

void add_example_line(Answer& answer, const PhaseView& phase) {
  answer.line("Example: " + base::dump(phase.gate->example()));
  if (!phase.gate->example_is_complete()) {
    answer.line("(" + std::string(kExampleNote) + ")");
  }
}

/// The criteria in both representations.
struct Criteria {
  Json json;
  std::string text;
};

Criteria criteria_of(const PhaseView& phase) {
  const phases::Gate& gate = phase.phase->gate;
  Answer answer;
  std::string heading = "## Evidence for the gate of phase " + phase.phase->id;
  const std::string source = phases::to_text(gate.source);
  if (!source.empty()) heading += " (" + source + ")";
  answer.line(heading);
  if (gate.none) {
    answer.line(
        "Gate: none, by its author's choice. Do the phase's work, then hand over {} to go on.");
  }
  if (gate.weak) {
    answer.line("Weak gate: the documents require nothing here, so a summary is asked for.");
  }
  if (leniency_is_refused(phase)) {
    answer.line("Leniency, which the file asks for, is not honoured.");
  }
  Json criteria = assemble(phase);
  const std::size_t description_max = crowded(criteria) ? kShortDescriptionChars : std::size_t{300};
  shorten(criteria);
  for (const Requirement& requirement : gate.requirements) {
    std::string line = "- " + requirement.name + ": " + words_of(requirement);
    if (!requirement.description.empty()) {
      line += " – " + base::shortened(requirement.description, description_max);
    }
    answer.line(line);
  }
  answer.raw(checks_text(phase.view.definition->checks[phase.index].checks()));
  if (phases::asks_a_person(*phase.phase)) {
    answer.line("- a person decides before this phase is left; you cannot");
  }
  if (!gate.requirements.empty()) add_example_line(answer, phase);
  return {std::move(criteria), answer.text()};
}

/// The criteria that were asked for last. They depend on the definition, which never changes, on
/// the phase and on whether leniency is honoured.
class LastCriteria {
 public:
  const Criteria& of(const PhaseView& phase) {
    const bool refused = leniency_is_refused(phase);
    for (const Entry& entry : entries_) {
      if (entry.index == phase.index && entry.leniency_refused == refused &&
          entry.definition.lock() == phase.view.definition) {
        return entry.criteria;
      }
    }
    Entry& entry = entries_[next_];
    next_ = (next_ + 1) % kEntries;
    entry = {phase.view.definition, phase.index, refused, criteria_of(phase)};
    return entry.criteria;
  }

 private:
  /// Their size is bounded by limits::kGateBytesMax.
  static constexpr std::size_t kEntries = 16;

  struct Entry {
    std::weak_ptr<const gating::Definition> definition;
    std::size_t index = 0;
    bool leniency_refused = false;
    Criteria criteria;
  };
  std::array<Entry, kEntries> entries_;
  std::size_t next_ = 0;
};

}  // namespace

void add_criteria(Answer& answer, const PhaseView& phase) {
  thread_local LastCriteria last;
  const Criteria& criteria = last.of(phase);
  answer.raw(criteria.text);
  answer.structured()["checkpoint_criteria"] = criteria.json;
}

void add_format(Answer& answer, const PhaseView& phase, const std::vector<std::string>& fields) {
  // What was no object lacks every field.
  const auto wanted = [&](const std::string& name) {
    return std::any_of(fields.begin(), fields.end(),
                       [&](const std::string& field) { return field.empty() || field == name; });
  };
  const Json& schema = phase.gate->schema();
  Json properties = Json::object();
  Json required = Json::array();
  for (const Json& name : schema.at("required")) {
    if (wanted(name.get_ref<const std::string&>())) required.push_back(name);
  }
  for (const auto& [name, rules] : schema.at("properties").items()) {
    if (!wanted(name)) continue;
    properties[name] = rules;
    properties[name].erase("description");
  }
  Json format = {
      {"type", "object"}, {"required", std::move(required)}, {"properties", std::move(properties)}};
  if (base::dump_size(format) + base::dump_size(phase.gate->example()) > kCriteriaBytesPreferred) {
    format = "too long to repeat: evidence_schema of get_current_phase";
    answer.line("Some rules are too long to repeat: get_current_phase shows them all.");
  }
  Json& out = answer.structured();
  out["required_format"] = std::move(format);
  out["examples"] = Json::array({phase.gate->example()});
  if (!phase.gate->example_is_complete()) {
    out["example_note"] = kExampleNote;
  }
  add_example_line(answer, phase);
}

}  // namespace phasegate::mcp::tools
