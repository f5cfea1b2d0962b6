#pragma once
#include <filesystem>

#include "phases/requirement_reader.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Reads whatever workflow lies at `path`: a native file (`NAME.yaml`, `NAME.yml`, `NAME.json`), a
/// folder with a native `workflow.yaml` (`.yml`, `.json`), or a folder with metadata.json. Like the
/// readers behind it, it never fails as a call: what cannot be read is an error among the findings.
[[nodiscard]] LoadedWorkflow read_workflow(const std::filesystem::path& path,
                                           const RequirementReader& requirements);

}  // namespace phasegate::phases
