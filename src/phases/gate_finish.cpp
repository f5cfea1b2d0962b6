#include "phases/gate_finish.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "phases/approval_reader.h"
#include "phases/requirement_checks.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {

void report_approval(const Gate& gate, const std::string& phase, FindingList& findings) {
  if (!gate.human_approval || gate.decision) return;
  findings.info(
      "human_approval",
      "phase " + phase + " is left once a person has approved, since its document asks for that",
      "if it does not, write decision: none with because: in a file of corrections; to "
      "offer other options, write decision: there",
      gate.human_approval_source, phase);
}

bool says_approval(const Requirement& requirement) {
  const bool said = requirement.kind == RequirementSource::checkbox ||
                    requirement.kind == RequirementSource::bullet ||
                    requirement.kind == RequirementSource::prose;
  return said && requirement.type == ValueType::boolean &&
         speaks_of_approval(requirement.description);
}

void leave_approval_to_the_person(Gate& gate) {
  if (!gate.human_approval && !gate.decision) return;
  for (Requirement& requirement : gate.requirements) {
    if (says_approval(requirement)) requirement.required = false;
  }
}

void make_weak_if_open(Gate& gate, const std::string& phase_file, const std::string& phase,
                       FindingList& findings) {
  const auto& asked = gate.requirements;
  if (gate.none) return;             // its author says that nothing is asked for
  if (!gate.checks.empty()) return;  // it is looked at, whatever is handed over
  if (gate.decision) return;         // a person looks, as its author wrote
  if (std::any_of(asked.begin(), asked.end(),
                  [](const Requirement& requirement) { return requirement.required; })) {
    return;
  }
  const auto is_taken = [&asked](const std::string& name) {
    return std::any_of(asked.begin(), asked.end(),
                       [&](const Requirement& requirement) { return requirement.name == name; });
  };
  const Source source = gate.source.file.empty() ? Source{phase_file, 0, 0} : gate.source;
  // An optional field may have taken the name; it stays what its author wrote.
  Requirement summary;
  summary.name = "summary";
  while (is_taken(summary.name)) summary.name += "_of_phase";
  summary.type = ValueType::string;
  summary.description = "What was done in this phase and how it can be checked";
  summary.kind = RequirementSource::synthetic;
  summary.min_length = 1;
  summary.source = source;
  gate.requirements.push_back(std::move(summary));
  if (gate.human_approval) return;
  gate.weak = true;
  findings.warning(
      "weak_gate",
      "the documents require nothing to leave phase " + phase +
          (gate.requirements.size() > 1 ? ": all that its gate names is optional" : "") +
          "; it asks for a summary, and the outcome will be partial",
      "add a validation gate with boxes, a typed table or a gate-definition.yaml", source, phase);
}

void join_requirements(std::vector<Requirement>& requirements, std::vector<Requirement> more,
                       FindingList& findings, const std::string& phase) {
  std::map<std::string, std::size_t> by_name;
  for (std::size_t i = 0; i < requirements.size(); ++i) by_name.emplace(requirements[i].name, i);
  for (Requirement& requirement : more) {
    const auto same = by_name.find(requirement.name);
    if (same != by_name.end()) {
      const Requirement& known = requirements[same->second];
      if (known.type == requirement.type && known.description == requirement.description) {
        findings.info("repeated_requirement",
                      base::in_quotes(requirement.name) + " is asked for at " +
                          to_text(known.source) + ", too; it is asked for once",
                      "", requirement.source, phase);
        continue;
      }
      const std::string told_apart = requirement.description + to_text(requirement.source);
      requirement.name = name_with_hash(requirement.name, told_apart);
    }
    const std::string name = requirement.name;
    if (!add_requirement(requirements, std::move(requirement), findings, phase)) break;
    by_name.emplace(name, requirements.size() - 1);
  }
  std::set<std::string> spoken_for;
  for (const Requirement& requirement : requirements) spoken_for.insert(requirement.name);
  for (Requirement& requirement : requirements) {
    std::erase_if(requirement.aliases,
                  [&](const std::string& alias) { return !spoken_for.insert(alias).second; });
  }
}

}  // namespace phasegate::phases
