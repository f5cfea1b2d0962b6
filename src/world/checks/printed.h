#pragma once
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

/// Whether the pattern (RE2) matches anywhere in `text`, which is the whole of what was printed: of
/// a part, an anchor or a thing that is not there says nothing. Errors (`invalid_pattern`): it does
/// not compile. O(text).
[[nodiscard]] base::Result<bool> matches(std::string_view text, const std::string& pattern);

}  // namespace phasegate::world::checks
