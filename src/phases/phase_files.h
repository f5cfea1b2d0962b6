#pragma once
#include <string>
#include <vector>

#include "phases/finding_list.h"
#include "phases/folder_snapshot.h"
#include "phases/metadata_reader.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// The folder of a phase's files: phases/NUMBER unless its own file lies elsewhere.
[[nodiscard]] std::string phase_folder(const MetadataPhase& phase, const std::string& phase_file);

/// The phase's own text, or empty with an error `missing_phase_file`.
[[nodiscard]] std::string find_phase_file(const MetadataPhase& phase,
                                          const FolderSnapshot& snapshot, FindingList& findings);

/// The phase's tasks as metadata.json maps them. A file that is not there leaves the task without
/// one and a warning `missing_task_file`; nothing is guessed.
[[nodiscard]] std::vector<Task> find_tasks(const MetadataPhase& phase, const std::string& folder,
                                           const FolderSnapshot& snapshot, FindingList& findings);

/// Task files on disk that no phase refers to (`orphaned_task_file`), and phases whose task files
/// lie in a neighbour's folder (`shifted_phases`, one finding for all).
void check_task_files(const Metadata& metadata, const Workflow& workflow,
                      const FolderSnapshot& snapshot, FindingList& findings);

}  // namespace phasegate::phases
