#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "gating/check_gate.h"
#include "gating/evidence.h"
#include "phases/workflow.h"

namespace phasegate::gating {

/// A workflow ready to run: the model and its compiled gates, one per phase. Immutable; shared
/// between runs of the same content hash.
struct Definition {
  std::string hash;
  phases::Workflow workflow;
  std::vector<EvidenceGate> gates;    ///< by phase index
  std::vector<CheckGate> checks;      ///< by phase index
  std::optional<EvidenceGate> input;  ///< judges the input of a start; set by make()

  /// Errors: `invalid_definition`: no phases, two phases with one id, a gate that does not compile,
  /// a gate without any requirement that does not say `gate: none`, inputs that do not compile.
  [[nodiscard]] static base::Result<std::shared_ptr<const Definition>> make(
      std::string hash, phases::Workflow workflow);
};

/// The definition that a run of this workflow would be pinned to. Errors (`not_startable`): a
/// finding is an error, or a gate cannot be compiled; the message names the first cause and says
/// how many there are. It may quote the text of any phase and is for people, not for assistants.
[[nodiscard]] base::Result<std::shared_ptr<const Definition>> definition_of(
    const phases::LoadedWorkflow& loaded);

}  // namespace phasegate::gating
