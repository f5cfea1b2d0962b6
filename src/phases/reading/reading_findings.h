#pragma once
#include <string>
#include <vector>

#include "phases/finding_list.h"
#include "phases/reading/criteria_reader.h"

namespace phasegate::phases {

/// Reports what a reader might expect to be asked for and is not, so that nothing vanishes
/// silently: items and tables of a gate beside its boxes (`passed_over`, one for each gate), boxes
/// below headings that say gate and belong to another phase, to a step or to the entry
/// (`other_gate_ignored`), gates in templates (`gate_in_template`), and boxes that were taken for
/// work (`boxes_taken_for_work`). Linear in the document.
void report_unasked(const DocumentParts& document, const std::vector<bool>& asked,
                    FindingList& findings);

}  // namespace phasegate::phases
