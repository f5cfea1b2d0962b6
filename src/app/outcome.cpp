#include "app/outcome.h"

#include "app/cli/text.h"

namespace phasegate::app {

Outcome failed(ExitCode code, const base::Error& error) {
  std::string text = "phasegate: " + cli::shown_value(error.message);
  if (!error.where.empty()) text += " (" + cli::shown_value(error.where) + ")";
  text += '\n';
  if (!error.hint.empty()) text += "  " + cli::shown(error.hint) + "\n";
  return {code, "", std::move(text)};
}

}  // namespace phasegate::app
