#pragma once
#include <optional>
#include <string>

#include "phases/finding_list.h"
#include "phases/gate_file_reader.h"
#include "phases/metadata_reader.h"
#include "phases/requirement_reader.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Reconciles what the sources say about one phase's gate (ARCHITECTURE §5): the strongest fixes
/// names, types and what is required; the rules of a weaker one for the same name and type are
/// added where the stronger has none; where they differ there is a finding with both lines. Where
/// nothing is required, be it that all is optional, the gate is weak and asks for a `summary`
/// beside what it names.
/// `gate_file` is nullopt if there is none; `unreadable` says that one is there but cannot be read.
[[nodiscard]] Gate assemble_gate(const MetadataPhase& phase, std::optional<ReadGateFile> gate_file,
                                 bool unreadable, ReadGate document, const std::string& phase_file,
                                 FindingList& findings);

}  // namespace phasegate::phases
