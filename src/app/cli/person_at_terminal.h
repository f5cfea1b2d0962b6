#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "app/cli/command_repin.h"
#include "app/composition.h"
#include "app/environment.h"
#include "app/outcome.h"
#include "app/secret_prompt.h"
#include "base/result.h"

namespace phasegate::app::cli {

/// The code of the error where the person said no.
inline constexpr std::string_view kDeclined = "declined";

/// Who confirms what only a person may do, and only an approver once somebody is enrolled.
struct PersonAtTerminal {
  const Environment& environment;
  const AskPerson& ask;
  const Prompts& prompts;
  std::string_view what;  ///< begins the sentence: `What state goes on from here`
  std::string command;    ///< what a person types elsewhere

  /// The refusal where no person is at the terminal who could confirm it, before anything is shown:
  /// there is no terminal, it is an assistant's, whether or not somebody is enrolled, or who is
  /// enrolled cannot be read.
  [[nodiscard]] std::optional<Outcome> missing(Program& program) const;

  /// Asks `question`, and for an approver's secret if somebody is enrolled. Who said yes; an error
  /// otherwise (kDeclined after a no), and then `otherwise` is what the command answers.
  [[nodiscard]] base::Result<std::string> confirm(Program& program, const std::string& question,
                                                  Outcome& otherwise) const;
};

}  // namespace phasegate::app::cli
