#pragma once
#include <string>
#include <vector>

#include "phases/finding_list.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Says (info `human_approval`) that a document was read as asking for a person's approval, unless
/// its author wrote what the person decides.
void report_approval(const Gate& gate, const std::string& phase, FindingList& findings);

/// True for what a document asks for in so many words as a person's approval
/// (`- [ ] Approved by a human`): boxes, items and sentences, nothing that its author has typed.
[[nodiscard]] bool says_approval(const Requirement& requirement);

/// Where a person decides, such things are theirs to say: the assistant need not claim them.
void leave_approval_to_the_person(Gate& gate);

/// Makes a gate weak in which nothing is required, checked or decided as an author wrote it, be it
/// that all is optional: it then asks for a `summary` beside what it names (warning `weak_gate`;
/// ARCHITECTURE §4, invariant 3). Where its document leaves it to a person it asks for the summary
/// and is not weak. `phase_file` is named where the gate has no place of its own.
void make_weak_if_open(Gate& gate, const std::string& phase_file, const std::string& phase,
                       FindingList& findings);

/// Adds what another part of a phase's documents asks for. The same thing in the same words is
/// asked for once; another thing of the same name gets a name of its own, and an alias that is
/// another's name is dropped. Findings as add_requirement's. O(all of them log all of them).
void join_requirements(std::vector<Requirement>& requirements, std::vector<Requirement> more,
                       FindingList& findings, const std::string& phase);

}  // namespace phasegate::phases
