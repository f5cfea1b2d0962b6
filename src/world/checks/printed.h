#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/process.h"
#include "base/result.h"

/// What programs printed, for people and for patterns.
namespace phasegate::world::checks {

/// The last lines of both outputs, at most limits::kOutputTailBytesMax of valid UTF-8. Nothing in
/// it steers a terminal: escape sequences are left out, other control characters are shown as `�`,
/// all line ends are `\n`. With both outputs there, each has its share, named `[stderr]` at its
/// head.
[[nodiscard]] std::string tail_of(const base::ProcessOutput& out, const base::ProcessOutput& err);

/// Whether the pattern (RE2) matches anywhere in what was printed; nullopt: not in what was kept,
/// and something is missing. Never matches across what is missing. Errors (`invalid_pattern`): it
/// does not compile. O(text).
[[nodiscard]] base::Result<std::optional<bool>> matches(const base::ProcessOutput& output,
                                                        const std::string& pattern);

}  // namespace phasegate::world::checks
