#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace phasegate::phases {

/// Words under which documents number their phases, the most telling first.
enum class PhaseFamily : std::uint8_t { phase, category, stage, bare };
inline constexpr int kPhaseFamilies = 4;

/// A heading that may begin a phase.
struct PhaseHead {
  PhaseFamily family = PhaseFamily::phase;
  std::string number;    ///< `1`, `0B`, `3.1`
  std::string title;     ///< without number and time; may be empty
  std::string estimate;  ///< `Days 1-3`; may be empty
  bool clear = false;    ///< number and title are told apart: `Phase 1: X`, not `Phase 1 Tasks`
};

/// Reads `Phase 1: X`, `PHASE 1 - X (Days 1-3)`, `Task Category 1`, `Milestone 2: X`, `1. X`.
/// Nullopt for anything else, ranges (`Phase 1-3`) and arrows (`Phase 1 → Phase 2`) included.
[[nodiscard]] std::optional<PhaseHead> phase_head(std::string_view text);

/// A line that may begin a task.
struct TaskHead {
  std::string number;  ///< `1.1`, `T001`, `P1-T1`
  std::string name;    ///< without `[P]` and `[US1]`
  bool named = false;  ///< it says "Task" or its number does: `T001`, `P1-T1`
  bool clear = false;  ///< a colon, dash or nothing follows the number
};

/// Reads `Task 1.1: X`, `T001 [P] X`, `P1-T1: X`, `1.1 X`. Nullopt for anything else.
[[nodiscard]] std::optional<TaskHead> task_head(std::string_view text);

/// True for titles and markers of gates: gate, checkpoint, exit or completion criteria.
[[nodiscard]] bool says_gate(std::string_view text);

/// The phase that a title names, wherever in it: `🛑 VALIDATION GATE: Phase 1 Checkpoint` → 1.
[[nodiscard]] std::optional<std::string> phase_in_title(std::string_view text);

/// Without the emoji, rules and spaces before and behind it.
[[nodiscard]] std::string_view without_ornaments(std::string_view text);

}  // namespace phasegate::phases
