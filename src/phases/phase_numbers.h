#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phases/finding_list.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// A number that a name or a heading begins with, and what stands behind it.
struct NumberedName {
  std::string number;     ///< without leading zeros: `1` for `01`; `0B`, `23.1.2`
  std::string rest;       ///< `design` for `phase-2-design`; may be empty
  bool labelled = false;  ///< a word such as `phase` or `step` stands before the number
};

/// Reads `phase-2-design`, `step-01-init`, `01-plan`, `1. Plan`, `Phase 2: Design`, `2`. A number
/// without a word before it has at most three digits, so that `2024-01-30-notes` is none; a mere
/// letter (`phase-a`) needs the word. nullopt for anything else.
[[nodiscard]] std::optional<NumberedName> numbered_name(std::string_view text);

/// `Root cause` for `root-cause` and `root_cause`.
[[nodiscard]] std::string words_of_name(std::string_view name);

/// True if `a` comes before `b` where runs of digits count as numbers: `task-2` before `task-10`,
/// `0` before `0B` before `1`. Letters are compared without regard to case.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

/// A phase as its documents number it.
struct WrittenNumber {
  std::string number;  ///< empty: none
  Source source;
};

/// An id for each phase: its number if that is a phase number and not taken, else its position from
/// 1. A number that is there twice gets a suffix, `2-2` (warning `repeated_phase_number`); one that
/// is no phase number is replaced (warning `unusable_phase_number`); whole numbers that jump are an
/// info `phase_numbers_jump`. O(phases log phases).
[[nodiscard]] std::vector<std::string> phase_ids(const std::vector<WrittenNumber>& phases,
                                                 FindingList& findings);

}  // namespace phasegate::phases
