#pragma once
#include <cstddef>
#include <vector>

#include "phases/reading/criteria_reader.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// What a fence asks for, if it is a gate or a submission and no example.
struct GateFence {
  std::vector<Requirement> values;
  bool form = false;  ///< a form or a shape to be filled in, rather than a call with its evidence
};

/// Reads the fence that is the statement at `at` by what stands around it: the evidence of a call
/// or of a YAML block where the words before it speak of evidence; a form where it stands in a
/// gate, calls itself a checkpoint, or is the format of what must be handed over. Forms are read
/// only where `first` (none was read below this heading) and `alone` (no list stands there) hold.
[[nodiscard]] GateFence read_gate_fence(const DocumentParts& document, std::size_t at, bool first,
                                        bool alone);

}  // namespace phasegate::phases
