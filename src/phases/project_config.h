#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phases/search_config.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Where a project says how its tests are run, so that workflows need not know: below its root.
inline constexpr std::string_view kProjectConfigFile = ".phasegate/project.yaml";

/// What the project says for checks of every workflow (docs/checks.md), and for searching.
struct ProjectConfig {
  /// By name (`test`), as JSON text of an object with some of the members of a `tests` check:
  /// argv or run with shell, cwd, env, timeout, output_max, junit, coverage, files.
  std::map<std::string, std::string> commands;
  std::vector<std::string> protected_paths;  ///< patterns, for `protected: {project: true}`
  std::vector<std::string> hosts;            ///< that `http` checks may reach beside this machine
  SearchConfig search;
  std::string sha256;             ///< of the file's bytes
  std::vector<Finding> findings;  ///< errors first

  /// Nothing that checks take from the file is wrong: what is wrong with `search` closes no gate.
  bool sound_for_checks = false;

  /// No finding is an error.
  [[nodiscard]] bool sound() const;
};

/// Reads the file's text. As strict as the native format: what is unknown or wrong is an error with
/// line and column, and such a command is left out. Total: any bytes give a result. Linear.
/// gating::engine::project_file finds it.
[[nodiscard]] ProjectConfig read_project_config(std::string_view text);

/// The keys of the file, and of a command that is written as a map.
[[nodiscard]] const std::vector<std::string>& project_config_keys();
[[nodiscard]] const std::vector<std::string>& project_command_keys();

}  // namespace phasegate::phases
