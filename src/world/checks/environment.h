#pragma once
#include <string>
#include <vector>

namespace phasegate::world::checks {

/// What of this process's environment the programs of checks are given: PATH, HOME, LANG, where a
/// language's tools keep their things, and the like; never what looks like a secret or steers how a
/// program is loaded. Always there: `PHASEGATE_CHECK=1`, and what keeps programs from asking
/// somebody (`TERM=dumb`, `CI=true`, `GIT_TERMINAL_PROMPT=0`). In order of name.
[[nodiscard]] std::vector<std::string> filtered_environment();

/// The same of any environment, `NAME=value` each; what is not of this form is left out, of two
/// values of one name the first counts. O(n log n).
[[nodiscard]] std::vector<std::string> filtered(const std::vector<std::string>& environment);

/// What of a filtered environment is remembered when a person trusts a workflow: all but what holds
/// for one login only and what is always set.
[[nodiscard]] std::vector<std::string> lasting(const std::vector<std::string>& environment);

/// A remembered environment, filtered once more, with what is of the moment taken from `now`, which
/// is filtered. In order of name.
[[nodiscard]] std::vector<std::string> with_the_moment(const std::vector<std::string>& remembered,
                                                       const std::vector<std::string>& now);

}  // namespace phasegate::world::checks
