#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace phasegate::phases {

/// What a heading says about the order of the work.
struct PhaseHeading {
  /// The word that counts: stronger ones name what is performed as a whole.
  enum class Word { phase, stage, part, step, gate, task, numbered, transition, named };

  Word word = Word::phase;
  std::string number;  ///< as written: `3`, `0B`, `A`, `23.1.2`, `N`; empty where there is none
  std::string title;   ///< behind the number, without its separator; may be empty
  /// A separator, a bracket or the heading's end follows the number: `Phase 1: X`. Without it the
  /// heading may speak of the phase rather than open it: `Phase 1 Validation Gate`.
  bool separated = false;
};

/// Reads `Phase 3: Build`, `STAGE 2 - Test`, `Step 0B`, `Part A`, `Gate 1: …`, `Task 4.3: …`,
/// `3. Build` (numbered), `ALPHA → BETA` (transition), `Planning Gate` and `Design Phase` (named),
/// and the words of other languages. Years, versions (`v0.5`) and dates are no numbers. nullopt for
/// anything else.
[[nodiscard]] std::optional<PhaseHeading> read_phase_heading(std::string_view heading);

/// The phase that a sentence names by its number: `Phase 3 Checkpoint` → 3. nullopt if it names
/// none. A word counts only if it holds a digit, so that `Phase Gate` names none.
[[nodiscard]] std::optional<std::string> phase_named_in(std::string_view text);

}  // namespace phasegate::phases
