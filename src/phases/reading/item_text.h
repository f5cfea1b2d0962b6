#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "phases/reading/statements.h"

namespace phasegate::phases {

/// What a statement says, taken apart into a name that its author marked and the rest.
struct ItemText {
  std::string label;    ///< code span, bold run or short words before a colon or dash; may be empty
  std::string content;  ///< behind the label; the whole text if there is none
  bool code = false;    ///< the label is a code span
  bool bold = false;    ///< the label is a bold run
  bool colon = false;   ///< a colon stands behind the label
  /// Bold alone or a label with nothing behind its colon: what follows belongs to it.
  bool lead = false;
};

[[nodiscard]] ItemText read_item_text(const Statement& statement);

/// A line in capitals that commands: `EVIDENCE-REQUIRED: …`, `VERIFY: …`.
struct CommandLine {
  /// asks: a value to hand over; verify: something that must hold; gate: opens a gate; other: an
  /// instruction.
  enum class Kind { none, asks, verify, gate, entry, other };
  Kind kind = Kind::none;
  bool collects = false;  ///< asks for as many values as follow: COUNT-AND-DOCUMENT
  std::string content;    ///< behind the colon
};

[[nodiscard]] CommandLine read_command_line(const Statement& statement);

/// True for an item of work, which its box ticks off: `T012 …`, `Task 1.1: …`, `P1-T3`, `1.2.3 …`.
[[nodiscard]] bool names_task(std::string_view text);

/// True where nothing is left without placeholders, links and marks: `[Specific condition]`.
[[nodiscard]] bool is_placeholder(std::string_view text);

/// The conditions of one sentence: those that `AND` or `+` joins, and those that `and` joins where
/// each names a measure of its own. What follows a full stop is left out.
[[nodiscard]] std::vector<std::string_view> conditions_in(std::string_view sentence);

/// `Do not proceed until X`, `Cannot continue without X`: the condition X, or empty.
[[nodiscard]] std::string held_back_until(std::string_view text);

}  // namespace phasegate::phases
