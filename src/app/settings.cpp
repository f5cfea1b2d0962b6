#include "app/settings.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "app/cli/text.h"
#include "base/text.h"

namespace phasegate::app {
namespace fs = std::filesystem;
namespace {

struct Root {
  fs::path folder;
  std::string from;
};

base::Result<Root> find_root(const cli::Invocation& invocation, const Environment& environment) {
  Root root{environment.working_folder, "the working directory"};
  if (invocation.root) {
    root = {environment.working_folder / *invocation.root, "--root"};
  } else if (!environment.claude_project_dir.empty()) {
    root = {environment.working_folder / environment.claude_project_dir, "CLAUDE_PROJECT_DIR"};
  }
  std::error_code error;
  const fs::path canonical = fs::canonical(root.folder, error);
  if (error || !fs::is_directory(canonical, error)) {
    return base::Error{
        "usage",
        "The project folder " + base::in_quotes(root.folder.string()) +
            " cannot be used: " + (error ? error.message() : std::string("it is no folder")) + ".",
        "It comes from " + root.from + "; give another one with --root DIR.", ""};
  }
  root.folder = canonical;
  return root;
}

/// The part of `path` below `folder`, or empty if it does not lie there.
fs::path below(const fs::path& folder, const fs::path& path) {
  if (folder.empty()) return {};
  fs::path relative = path.lexically_relative(folder);
  if (relative.empty() || relative.is_absolute() || *relative.begin() == "..") return {};
  return relative;
}

std::string place_name(const fs::path& folder, const fs::path& root, const fs::path& home) {
  if (const fs::path inside = below(root, folder); !inside.empty()) return inside.string();
  if (const fs::path inside = below(home, folder); !inside.empty()) {
    return "~/" + inside.string();
  }
  return ".../" + folder.filename().string();
}

/// `a/b/` and `a/b` are one folder.
fs::path without_slash(const fs::path& path) {
  return path.has_filename() || !path.has_relative_path() ? path : path.parent_path();
}

fs::path normal(const fs::path& path) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(path, error);
  return without_slash(error ? path.lexically_normal() : canonical);
}

std::string option(std::string_view name, const fs::path& value) {
  return " " + std::string(name) + " " + cli::shell_word(value.string());
}

/// A state folder of the default place keeps its approvers under whatever name it is reached:
/// naming it with --state must not lead to another book.
fs::path approvers_folder(const Settings& settings, const fs::path& home, bool state_named) {
  if (home.empty()) return settings.state_folder;
  const fs::path default_folder = world::state_folder(settings.project, home);
  const fs::path all = default_folder.parent_path();
  const fs::path named = normal(settings.state_folder);
  const bool is_default = !state_named || named == normal(all) || named == normal(default_folder) ||
                          !below(normal(all), named).empty() ||
                          !below(all, settings.state_folder).empty();
  return is_default ? all : settings.state_folder;
}

std::vector<std::string> client_arguments(const Settings& settings,
                                          const cli::Invocation& invocation,
                                          const Environment& environment, bool state_named) {
  std::vector<std::string> arguments{"mcp", "--root", settings.root.string()};
  if (state_named) {
    arguments.insert(arguments.end(), {"--state", settings.state_folder.string()});
  }
  if (invocation.notify) {
    arguments.insert(arguments.end(), {"--notify", settings.notify_file.string()});
  }
  for (const std::string& folder : invocation.workflows) {
    arguments.insert(arguments.end(),
                     {"--workflows", normal(environment.working_folder / folder).string()});
  }
  if (invocation.gates == gating::GatePolicy::as_written) {
    arguments.insert(arguments.end(), {"--gates", "as-written"});
  }
  return arguments;
}

}  // namespace

std::vector<phases::Place> workflow_places(const std::vector<std::string>& given,
                                           const fs::path& working_folder, const fs::path& root,
                                           const fs::path& home) {
  std::vector<fs::path> folders;
  folders.reserve(given.size() + 4);
  for (const std::string& folder : given) folders.push_back(working_folder / folder);
  for (const char* tool : {".phasegate", ".praxis-os", ".agent-os"}) {
    folders.push_back(root / tool / "workflows");
  }
  if (!home.empty()) folders.push_back(home / ".config" / "phasegate" / "workflows");

  std::vector<phases::Place> places;
  std::set<fs::path> seen;
  for (const fs::path& folder : folders) {
    const fs::path canonical = normal(folder);
    if (!seen.insert(canonical).second) continue;
    // A link below the project keeps the name under which people know it.
    const fs::path typed = without_slash(folder.lexically_normal());
    const bool known = !below(root, typed).empty() || !below(home, typed).empty();
    places.push_back({canonical, place_name(known ? typed : canonical, root, home)});
  }
  places.push_back(phases::built_in_place());
  return places;
}

base::Result<Settings> resolve(const cli::Invocation& invocation, const Environment& environment) {
  auto root = find_root(invocation, environment);
  if (!root) return std::move(root).error();

  Settings settings;
  settings.root = root->folder;
  settings.root_from = root->from;
  auto project = world::find_project(settings.root);
  if (!project) return std::move(project).error();
  settings.project = *std::move(project);
  settings.gates = invocation.gates;
  settings.places = workflow_places(invocation.workflows, environment.working_folder, settings.root,
                                    environment.home);

  if (invocation.notify) {
    settings.notify_file = (environment.working_folder / *invocation.notify).lexically_normal();
    settings.notify_shown = *invocation.notify;
  } else if (!environment.home.empty()) {
    settings.notify_file = environment.home / ".config" / "phasegate" / "notify.yaml";
    settings.notify_shown = "~/.config/phasegate/notify.yaml";
  }
  bool state_named = true;
  if (invocation.state) {
    settings.state_folder = environment.working_folder / *invocation.state;
    settings.state_from = "--state";
  } else if (!environment.phasegate_state.empty()) {
    settings.state_folder = environment.working_folder / environment.phasegate_state;
    settings.state_from = "PHASEGATE_STATE";
  } else {
    if (environment.home.empty()) {
      return base::Error{"no_home", "The user has no home folder, so there is no place for state.",
                         "Name one with --state DIR or PHASEGATE_STATE.", ""};
    }
    settings.state_folder = world::state_folder(settings.project, environment.home);
    settings.state_from = "the default place";
    state_named = false;
  }
  settings.state_folder = without_slash(settings.state_folder.lexically_normal());
  settings.approvers_folder = approvers_folder(settings, environment.home, state_named);

  std::string state = state_named ? option("--state", settings.state_folder) : "";
  // Whoever decides by a command that is printed tells the same people.
  if (invocation.notify) state += option("--notify", settings.notify_file);
  const fs::path here = normal(environment.working_folder);
  if (settings.root != here) settings.options_here = option("--root", settings.root);
  settings.options_here += state;
  settings.options_anywhere = option("--root", settings.root) + state;
  settings.client_arguments = client_arguments(settings, invocation, environment, state_named);
  return settings;
}

}  // namespace phasegate::app
