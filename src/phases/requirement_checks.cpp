#include "phases/requirement_checks.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {

void apply_rules(const base::Result<std::vector<ValidatorRule>>& rules, Requirement& requirement,
                 FindingList& findings, const std::string& phase) {
  const auto report = [&](const base::Error& error) {
    findings.error(error.code, base::in_quotes(requirement.name) + ": " + error.message, error.hint,
                   requirement.source, phase);
  };
  if (!rules) return report(rules.error());
  for (const ValidatorRule& rule : *rules) {
    if (const auto applied = apply_rule(rule, requirement); !applied) report(applied.error());
  }
  if (const auto possible = check_satisfiable(requirement); !possible) report(possible.error());
}

bool add_requirement(std::vector<Requirement>& requirements, Requirement requirement,
                     FindingList& findings, const std::string& phase) {
  constexpr std::size_t kMax = base::limits::kRequirementsPerGateMax;
  if (requirements.size() >= kMax) {
    findings.error("too_many_requirements",
                   "the gate asks for more than " + std::to_string(kMax) + " things",
                   "split the phase", requirement.source, phase);
    return false;
  }
  const auto same =
      std::find_if(requirements.begin(), requirements.end(),
                   [&](const Requirement& other) { return other.name == requirement.name; });
  if (same != requirements.end()) {
    findings.error("duplicate_requirement",
                   base::in_quotes(requirement.name) + " is asked for twice, first at " +
                       to_text(same->source),
                   "rename or remove one of the two", requirement.source, phase);
    return true;
  }
  requirements.push_back(std::move(requirement));
  return true;
}

void check_aliases(const std::vector<Requirement>& requirements, FindingList& findings,
                   const std::string& phase) {
  // Evidence is taken under a name in any case and with any marks, so that is how names are told
  // apart.
  std::map<std::string, const Requirement*> owners;
  for (const Requirement& requirement : requirements)
    owners.emplace(name_from_sentence(requirement.name), &requirement);
  for (const Requirement& requirement : requirements) {
    for (const std::string& alias : requirement.aliases) {
      const auto [owner, is_new] = owners.emplace(name_from_sentence(alias), &requirement);
      if (is_new || owner->second == &requirement) continue;
      findings.error("ambiguous_alias",
                     base::in_quotes(base::shortened(alias, 80)) + ", an alias of " +
                         base::in_quotes(requirement.name) + ", names " +
                         base::in_quotes(owner->second->name) + " already, at " +
                         to_text(owner->second->source),
                     "remove the alias from one of the two", requirement.source, phase);
    }
  }
}

void check_wording(const std::vector<Requirement>& requirements, FindingList& findings,
                   const std::string& phase) {
  for (const Requirement& requirement : requirements) {
    const bool must_be_true = requirement.type == ValueType::boolean && requirement.required &&
                              !requirement.false_allowed;
    if (must_be_true && is_negative(requirement.name, requirement.description)) {
      findings.warning(
          "negative_name",
          base::in_quotes(requirement.name) +
              " must be true to pass, yet its name says that something is wrong" +
              (requirement.description.empty()
                   ? ""
                   : " (description: " +
                         base::in_quotes(base::shortened(requirement.description, 100)) + ")"),
          requirement.kind == RequirementSource::native ||
                  requirement.kind == RequirementSource::correction
              ? "rename it, or write const: false"
              : "rename it, or write the validator is_false",
          requirement.source, phase);
    }
    if (requirement.required && requirement.kind != RequirementSource::checkbox &&
        is_conditional(requirement.description)) {
      findings.info("conditional_requirement",
                    base::in_quotes(requirement.name) +
                        " is worded as conditional but required without condition",
                    "write required: false if it may be absent", requirement.source, phase);
    }
  }
}

std::optional<ValueType> read_type(std::string_view word, const std::string& name,
                                   FindingList& findings, const Source& source,
                                   const std::string& phase) {
  const auto type = value_type_from(word);
  if (type) return type;
  static const std::vector<std::string> kTypes = {"boolean", "integer", "number", "string",
                                                  "array",   "object",  "float",  "list",
                                                  "dict",    "int",     "bool",   "text"};
  const auto nearest = base::nearest_name(word, kTypes);
  findings.error("unknown_type",
                 base::in_quotes(name) + " has the type " +
                     base::in_quotes(base::shortened(word, 40)) + ", which is not known",
                 nearest ? "did you mean " + *nearest + "?"
                         : "types: boolean, integer, number, string, array, object",
                 source, phase);
  return std::nullopt;
}

}  // namespace phasegate::phases
