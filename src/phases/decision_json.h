#pragma once
#include <optional>
#include <string>

#include "base/json_fwd.h"
#include "base/result.h"
#include "phases/decision.h"

namespace phasegate::phases {

/// A demand as it is stored with the model.
[[nodiscard]] base::Json to_json(const DecisionDemand& demand);

/// Reads it back; what is wrong goes to `error` (`damaged_definition`) unless one is known already.
/// `where`: its place, as a JSON Pointer.
[[nodiscard]] DecisionDemand read_decision_demand(const base::Json& json, const std::string& where,
                                                  std::optional<base::Error>& error);

}  // namespace phasegate::phases
