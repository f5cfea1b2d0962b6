#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "phases/reading/lexicon.h"
#include "phases/reading/phase_finder.h"
#include "phases/reading/statements.h"

namespace phasegate::phases {

/// Where a statement stands: what the headings and leads around it say about it.
struct StatementPlace {
  Role role = Role::none;
  /// It opens what follows and asks for nothing itself: a heading, `**Validation Gate:**`.
  bool lead = false;
  bool task = false;  ///< stands in a task of a phase: its criteria are the task's own
  /// A phase that the heading around it names although it stands elsewhere: `### Phase 1 Gate`.
  std::string named_phase;
  std::size_t heading = kNowhere;  ///< the statement that is the heading around it
  std::size_t opener = kNowhere;   ///< the lead or heading that gave it its role

  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
};

/// The places of all statements, in their order. Linear.
[[nodiscard]] std::vector<StatementPlace> places_of(const std::vector<Statement>& statements,
                                                    const FoundPhases& phases);

}  // namespace phasegate::phases
