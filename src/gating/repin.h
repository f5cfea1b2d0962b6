#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "gating/definition.h"
#include "gating/run.h"
#include "gating/transition.h"

namespace phasegate::gating {

/// What is different about one phase in the changed workflow.
struct PhaseChange {
  enum class Kind { added, removed, changed };
  Kind kind = Kind::changed;
  std::string phase;     ///< its id
  std::string title;     ///< as it will be; as it was for a phase that is removed
  bool is_open = false;  ///< the phase that the run is in
  bool title_changed = false;
  bool text_changed = false;                    ///< its text, its tasks, or another file of its own
  bool gate_changed = false;                    ///< anything at all about what opens it
  std::vector<std::string> requirements_added;  ///< by name
  std::vector<std::string> requirements_removed;
  std::vector<std::string> requirements_changed;

  friend bool operator==(const PhaseChange&, const PhaseChange&) = default;
};

/// What a run would be given by the workflow as it is now.
struct RepinDifference {
  bool same = false;                 ///< it is pinned to that already
  std::vector<std::string> kept;     ///< ids of the phases that it has completed
  std::vector<PhaseChange> changes;  ///< in the order of the changed workflow, removed ones last
  bool order_changed = false;        ///< of the phases to come
  bool shared_changed = false;       ///< files of no phase
  std::optional<Refusal> refusal;    ///< why the run cannot be pinned to it; nullopt: it can

  friend bool operator==(const RepinDifference&, const RepinDifference&) = default;
};

/// Compares the definition that a run is pinned to with a changed one. The run may go over to it
/// (ARCHITECTURE §4, invariants 2 and 6) if it is open, and every phase that it has completed has
/// the same id, place, text and gate, and the open one is there still, in the same place: what was
/// judged was judged by what is written, and no phase is passed by. Where its lines stand does not
/// matter. Pure; linear in both definitions.
[[nodiscard]] RepinDifference repin_difference(const Definition& old_definition,
                                               const Definition& new_definition,
                                               const RunState& run);

/// The transition of the command (see Repin): refused as the difference says, or the same run under
/// the changed definition. `now` is the moment of the transition, never before the last one.
[[nodiscard]] Transition repinned(const Definition& definition, const RunState& run,
                                  const Repin& command, base::TimePoint now);

}  // namespace phasegate::gating
