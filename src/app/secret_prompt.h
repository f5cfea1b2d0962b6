#pragma once
#include <functional>
#include <string>

#include "base/result.h"
#include "state/approvers/secret.h"

namespace phasegate::app {

/// How somebody at a terminal is asked. Commands are handed one, so that a test can answer.
///
/// Errors of both: `terminal_needed`, `nothing_given` (an empty line, or the input's end),
/// `too_long`, `interrupted` (by a signal that does not end this process).
struct Prompts {
  /// Shows the text and reads a line, which is not shown.
  std::function<base::Result<state::Secret>(const std::string& prompt)> secret;
  /// Shows the text and reads a line.
  std::function<base::Result<std::string>(const std::string& prompt)> line;
};

/// Asks on the process's controlling terminal (/dev/tty), never by standard input, which may be a
/// pipe. While a secret is asked for the terminal does not show what is typed; its settings are as
/// before on every way out, Ctrl-C and Ctrl-Z among them, and what was typed too early or too much
/// goes to nobody. From the first secret on the process's memory cannot be read by the user's other
/// processes, nor be dumped.
[[nodiscard]] Prompts prompts_on_terminal();

}  // namespace phasegate::app
