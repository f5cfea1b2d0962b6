#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "phases/finding_list.h"
#include "phases/validators.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Adds rules to a requirement; what cannot be added is an error among the findings at the
/// requirement's line, so that no rule is ever dropped silently.
void apply_rules(const base::Result<std::vector<ValidatorRule>>& rules, Requirement& requirement,
                 FindingList& findings, const std::string& phase);

/// Adds a requirement unless its name is taken (error `duplicate_requirement`) or the gate is full
/// (error `too_many_requirements`, once). False once the gate is full.
bool add_requirement(std::vector<Requirement>& requirements, Requirement requirement,
                     FindingList& findings, const std::string& phase);

/// Refuses (`ambiguous_alias`) an alias that is the name or an alias of another requirement.
void check_aliases(const std::vector<Requirement>& requirements, FindingList& findings,
                   const std::string& phase);

/// Findings about the requirements that a gate ends up with: names whose sense contradicts being
/// true (`negative_name`), conditional wording that stays required (`conditional_requirement`).
void check_wording(const std::vector<Requirement>& requirements, FindingList& findings,
                   const std::string& phase);

/// Reads a type's name; an unknown one is an error `unknown_type` and nullopt.
[[nodiscard]] std::optional<ValueType> read_type(std::string_view word, const std::string& name,
                                                 FindingList& findings, const Source& source,
                                                 const std::string& phase);

}  // namespace phasegate::phases
