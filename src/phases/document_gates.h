#pragma once
#include <string>
#include <vector>

#include "phases/finding_list.h"
#include "phases/reading/document_reading.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Says (`entry_gate`) that what must hold to begin a phase, or the work, is not asked for as
/// evidence: an info, or a warning for what stands before line `first_phase` and thus before all
/// work. 0: there is no such line.
void report_entry(const std::vector<Requirement>& entry, int first_phase, const std::string& phase,
                  FindingList& findings);

/// The gate of a phase that stands in a document, as that has it: whether it is weak is left to
/// finish_gates. `first_phase` as for report_entry.
[[nodiscard]] Gate gate_of(ReadCriteria criteria, const std::string& file, int first_phase,
                           const Phase& phase, FindingList& findings);

/// What is asked for the work as a whole is asked for to leave the last phase, since only then the
/// work is done. `first_phase` is the line on which the first phase begins.
void add_whole(ReadCriteria whole, const std::string& file, int first_phase, Workflow& workflow,
               FindingList& findings);

/// What is said of every gate that is complete, and `summary` where nothing is required. Nothing is
/// made weak if `read` holds an error: a gate that could not be read stays shut.
void finish_gates(Workflow& workflow, const std::vector<Finding>& read, FindingList& findings);

}  // namespace phasegate::phases
