#pragma once
#include <string>
#include <vector>

#include "phases/workflow.h"

/// What people and assistants are told about a decision, in words.
namespace phasegate::phases {

/// Who may decide: `any approver`, `2 approvers with the role "editor", none of whom handed the
/// evidence over`. O(1).
[[nodiscard]] std::string deciders_in_words(const DecisionDemand& demand);

/// What happens to the run: `goes on`, `goes back to phase 2`, `ends: rejected`; and whether the
/// person says something with it. `phases` and `here` tell a way back from one forward.
[[nodiscard]] std::string option_in_words(const DecisionOption& option,
                                          const std::vector<Phase>& phases,
                                          const std::string& here);

}  // namespace phasegate::phases
