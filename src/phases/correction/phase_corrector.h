#pragma once
#include "phases/correction/corrections.h"
#include "phases/native/report.h"

namespace phasegate::phases {

/// Corrects the title and the gate of one phase; what is wrong is among the report's findings.
/// References are to what was read, so that the order of the entries does not matter.
void correct_phase(Phase& phase, const PhaseCorrection& correction, const NativeReport& report);

}  // namespace phasegate::phases
