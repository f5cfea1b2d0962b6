#pragma once
#include <string>
#include <vector>

#include "phases/native/report.h"
#include "phases/workflow.h"

/// How authors write checks down. One reader for every place that holds a list of them: a step and
/// the top of a native file, a gate file, the head of a document, a file of corrections
/// (ARCHITECTURE §5, docs/checks.md).
namespace phasegate::phases {

/// What a list of checks says, and whether all of it was understood.
struct ReadChecks {
  std::vector<Check> checks;
  bool sound = true;  ///< false: an error was found in the list
};

/// Reads a list of checks. `what` names the list for findings (`checks of step "a"`). Each item is
/// a map with exactly one kind (`file:`, `command:`, …) and at most `name`, `error` and `cache`
/// beside it, or a text, which is an expression. Checks without a name get one from their kind and
/// their number among those of that kind (`command-2`). What is wrong is an error at its line and
/// column: unknown keys, kinds and words with the nearest that is known, values of another type,
/// members that are missing or contradict each other, names that are taken, more than
/// limits::kChecksPerGateMax. Never throws; linear in the list.
[[nodiscard]] ReadChecks read_checks(const YamlNode& list, const std::string& what,
                                     const NativeReport& report);

/// Reads the checks at the top of a native file, a map of checks by name, which expressions call:
/// their names are identifiers, and none is that of a function.
[[nodiscard]] ReadChecks read_named_checks(const YamlNode& map, const NativeReport& report);

/// Adds the checks of another source to a gate. A made name that is taken is made anew; another
/// name that is taken is an error (`duplicate_check`), and so are too many. True if there was none.
bool add_checks(std::vector<Check>& checks, std::vector<Check> more, const NativeReport& report);

/// The fields of a gate that name a check which the gate does not have: an error for each
/// (`unknown_check`, with the nearest name). True if there was none. O(fields × checks).
bool check_ties(const Gate& gate, const NativeReport& report);

}  // namespace phasegate::phases
