#pragma once
#include <map>
#include <string>
#include <vector>

#include "phases/finding_list.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// By phase: where each option of its decision says where it leads. A phase or option without a
/// place is found at its decision.
using DecisionPlaces = std::map<std::string, std::vector<Source>>;

/// Looks where the options of authors' decisions lead, once all phases are known: `unknown_step`
/// (error, with the nearest id) for one that names no phase, `no_way_forward` (error) where none
/// lets the run go on or be completed. Pure; options × phases.
void check_decision_ways(const std::vector<Phase>& phases, const DecisionPlaces& places,
                         FindingList& findings);

}  // namespace phasegate::phases
