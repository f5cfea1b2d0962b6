#pragma once
#include <string>
#include <vector>

#include "phases/finding_list.h"
#include "phases/folder_snapshot.h"

namespace phasegate::phases {

/// A phase as the names in a folder without metadata.json say it.
struct PlainPhase {
  std::string number;              ///< without leading zeros
  std::string name;                ///< what stands behind the number; may be empty
  std::string folder;              ///< `phases/2`; empty for a phase that is one file
  std::string text;                ///< its own file; empty: none, only tasks
  std::vector<std::string> tasks;  ///< the other documents of its folder, in natural order
};

/// Finds the phases of a folder: `phases/N/*.md`, `phases/phase-N-*.md`, or, without such, the
/// numbered documents directly in it (`step-01-*.md`, `01-*.md`). They come in the order of their
/// numbers. Findings: `two_phase_texts` for a second text of a phase, which becomes a task;
/// `unused_phase_file` for a document in phases/ that belongs to no phase; `unreadable_file`
/// (error) for what is there and might hold a phase's text or gate. O(files log files).
[[nodiscard]] std::vector<PlainPhase> find_plain_phases(const FolderSnapshot& snapshot,
                                                        FindingList& findings);

/// True if entries of a folder, and of its `phases/`, say that it holds phases: at least one
/// numbered folder or document in phases/, or two numbered documents in the folder itself.
[[nodiscard]] bool name_phases(const std::vector<std::string>& in_folder,
                               const std::vector<std::string>& in_phases);

}  // namespace phasegate::phases
