#pragma once
#include <optional>

#include "gating/engine/ports.h"
#include "phases/project_config.h"

namespace phasegate::gating::engine {

/// The project's own file (`.phasegate/project.yaml`), as sessions and those who look after them
/// read it; nullopt if there is none, or no port. One that is there and cannot be read has an
/// error.
[[nodiscard]] std::optional<phases::ProjectConfig> project_file(ProjectDocuments* documents);

}  // namespace phasegate::gating::engine
