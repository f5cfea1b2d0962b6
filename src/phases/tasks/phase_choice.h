#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "phases/finding_list.h"
#include "phases/tasks/marks.h"

namespace phasegate::phases {

/// Which of a document's headings begin the phases that are to be worked through.
struct PhaseChoice {
  std::vector<bool> begins;  ///< by mark
  /// Holds tasks of its own, though its level is not the others': a phase unless it stands inside
  /// one, where it is its subject.
  std::vector<bool> may_begin;
};

/// Documents say "Phase 1" in overviews, risk tables and gate chapters as well. The phases are the
/// headings of the one kind and level under which most numbers have tasks; of several with one
/// number the first with tasks counts. A second one with tasks of its own is an error
/// `duplicate_phase`, one without is told (`repeated_phase`). Nothing is chosen in a document that
/// orders no phases. Linear in the marks.
[[nodiscard]] PhaseChoice choose_phases(const std::vector<TaskMark>& marks, std::string_view path,
                                        FindingList& findings);

}  // namespace phasegate::phases
