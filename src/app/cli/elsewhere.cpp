#include "app/cli/elsewhere.h"

#include <algorithm>

#include "app/cli/text.h"

namespace phasegate::app::cli {

std::string workflows_elsewhere(const Settings& settings) {
  const std::filesystem::path& top = settings.project.worktree;
  if (top.empty() || top == settings.root) return "";
  for (const char* tool : {".phasegate", ".praxis-os", ".agent-os"}) {
    const std::filesystem::path folder = top / tool / "workflows";
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored)) continue;
    const bool is_used =
        std::any_of(settings.places.begin(), settings.places.end(),
                    [&](const phases::Place& place) { return place.folder == folder; });
    if (is_used) continue;
    return "The repository's top has workflows in " + std::string(tool) +
           "/workflows that are not looked for in its folder " +
           settings.root.lexically_relative(top).string() + ": use --root " +
           shell_word(top.string()) + " or --workflows " + shell_word(folder.string()) + ".";
  }
  return "";
}

}  // namespace phasegate::app::cli
