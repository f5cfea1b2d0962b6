#include "app/assistant_environment.h"

#include <array>
#include <cstdlib>

namespace phasegate::app {
namespace {

// Only what is set for an assistant's commands. Editors with an assistant in them mark every
// terminal, a person's too, and those marks are left out.
constexpr std::array kVariables = {
    "CLAUDECODE",      "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID", "GEMINI_CLI",    "CURSOR_AGENT",
    "COPILOT_CLI",     "OPENCODE",      "AI_AGENT",
};

}  // namespace

std::string assistant_variable() {
  for (const char* name : kVariables) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return name;
  }
  return "";
}

}  // namespace phasegate::app
