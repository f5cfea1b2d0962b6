#pragma once
#include "phases/finding_list.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Findings about what was read from documents as a whole, once it is complete and corrected:
/// `only_self_attested` (info) for a phase that is left on the sender's word alone, since all that
/// it requires is true or false and nothing checks it; `low_confidence` (warning) for a requirement
/// that a careful person might read differently, with how to correct it (ARCHITECTURE §5).
/// Native workflows have their own words for the first (`only_booleans`). What lint_checks finds is
/// among them. Pure; linear.
void lint_workflow(const Workflow& workflow, FindingList& findings);

}  // namespace phasegate::phases
