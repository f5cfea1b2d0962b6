#pragma once
#include <string>
#include <vector>

#include "phases/native/report.h"
#include "phases/yaml_node.h"

namespace phasegate::phases {

/// Which of the project's documents are searched (docs/search.md); empty: as without it.
struct SearchConfig {
  std::vector<std::string> folders;  ///< beside the usual ones, normalised; `.` is the root
  std::vector<std::string> include;  ///< patterns of paths from the root that base::Globs takes
  std::vector<std::string> exclude;
  /// Nothing in it was wrong. What a wrong part would have excluded is not known: search nothing.
  bool sound = true;
};

/// Reads the value of `search`: a map with folders, include and exclude, each one text or a list.
/// What is unknown or wrong is an error with line and column, is left out, and makes the result
/// unsound. Linear.
[[nodiscard]] SearchConfig read_search_config(const YamlNode& node, const NativeReport& report);

/// The keys of the map.
[[nodiscard]] const std::vector<std::string>& search_config_keys();

}  // namespace phasegate::phases
