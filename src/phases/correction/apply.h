#pragma once
#include <string>
#include <vector>

#include "phases/correction/corrections.h"
#include "phases/finding_list.h"
#include "phases/folder_snapshot.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Applies corrections to what was read; the phases that they drop are removed from `phases` and
/// returned, since their files stay withheld. `whole` is the id of the phase that stands for the
/// work as a whole, empty if there is none; `files` is where the digests are looked up.
///
/// What a correction speaks of keeps its line in the document, is sure (Confidence::high), and the
/// reading's findings about it are withdrawn. Errors: `drift` for what is not there (with the
/// nearest names), `ambiguous_reference`, `corrected_twice`, and what the rules themselves are
/// refused for. Warnings: `correction_without_effect`, `document_changed`.
/// Pure; linear in corrections × requirements of their phase.
[[nodiscard]] std::vector<Phase> apply_corrections(const Corrections& corrections,
                                                   const FolderSnapshot& files,
                                                   const std::string& whole,
                                                   std::vector<Phase>& phases,
                                                   FindingList& findings);

/// Looks for the file of corrections `file` among `files`, reads and applies it. One that is there
/// and cannot be read, or whose name is only nearly right, is an error: it would be ignored.
/// Where decisions lead is looked at then, corrected or not (check_decision_ways). This is all that
/// a reader of documents has to call, once its phases have their gates.
[[nodiscard]] std::vector<Phase> correct_phases(const FolderSnapshot& files,
                                                const std::string& file, const std::string& whole,
                                                std::vector<Phase>& phases, FindingList& findings);

}  // namespace phasegate::phases
