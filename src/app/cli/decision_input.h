#pragma once
#include <optional>
#include <string>

#include "app/cli/invocation.h"
#include "app/environment.h"
#include "app/secret_prompt.h"
#include "base/result.h"
#include "gating/engine/engine.h"

/// What a person chooses and says, asked for on the terminal or given on the command line.
namespace phasegate::app::cli {

/// The words of `--input` or `--input-file`; nullopt: neither was given. Reads no more of a file
/// than may be said. Errors: `too_long`, `not_utf8`, `not_found` (no file, or none that can be
/// read).
[[nodiscard]] base::Result<std::optional<std::string>> given_input(const Invocation& invocation,
                                                                   const Environment& environment);

/// Asks for an option by its number or id, a few times at most. `before` is shown first. Errors:
/// those of Prompts, `invalid_decision`.
[[nodiscard]] base::Result<const phases::DecisionOption*> ask_option(
    const phases::DecisionDemand& demand, const Prompts& prompts, const std::string& before);

/// Asks for the words that go with the option, once more if it needs some and there were none.
/// Errors: those of Prompts, `invalid_decision`, `not_utf8`.
[[nodiscard]] base::Result<std::string> ask_input(const phases::DecisionOption& option,
                                                  const Prompts& prompts,
                                                  const std::string& before);

/// Why these words do not go with the option. Errors: `invalid_decision`.
[[nodiscard]] base::Result<void> check_input(const phases::DecisionOption& option,
                                             const std::string& input);

/// True for `y` and `yes`.
[[nodiscard]] bool says_yes(const Prompts& prompts, const std::string& question);

}  // namespace phasegate::app::cli
