#pragma once
#include <optional>
#include <string>

#include "base/json_fwd.h"
#include "phases/native/report.h"

namespace phasegate::phases {

/// A path of the project in `/` form, or an absolute one as it is written; an error if it climbs
/// out of the project's root, is empty, or holds what no path holds. A part that is filled in later
/// (`{{…}}`) is looked at when it is filled.
[[nodiscard]] std::optional<std::string> read_check_path(const YamlNode& node,
                                                         const std::string& what,
                                                         const NativeReport& report);

/// Patterns of paths below the project's root: one text or a list of at least one.
[[nodiscard]] std::optional<base::Json> read_check_globs(const YamlNode& node,
                                                         const std::string& what,
                                                         const NativeReport& report);

}  // namespace phasegate::phases
