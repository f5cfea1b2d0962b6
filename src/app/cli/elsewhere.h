#pragma once
#include <string>

#include "app/settings.h"

namespace phasegate::app::cli {

/// Where the project is a folder within a repository, its places lie in that folder only. If the
/// repository's top holds workflows, a sentence says so and how to use them; else it is empty.
[[nodiscard]] std::string workflows_elsewhere(const Settings& settings);

}  // namespace phasegate::app::cli
