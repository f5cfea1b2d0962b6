#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "phases/requirement_reader.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Reads whatever workflow lies at `path`: a native file (`NAME.yaml`, `NAME.yml`, `NAME.json`), a
/// document (`NAME.md`, `NAME.markdown`), a folder with a native `workflow.yaml` (`.yml`, `.json`),
/// a folder with metadata.json, or one whose names say its phases. Like the readers behind it, it
/// never fails as a call: what cannot be read is an error among the findings.
/// A folder that defines its workflow twice is an error (`two_definitions`), and neither is read.
[[nodiscard]] LoadedWorkflow read_workflow(const std::filesystem::path& path,
                                           const RequirementReader& requirements);

/// The files of a folder that say it is a workflow: `metadata.json`, `workflow.yaml`, `.yml`,
/// `.json`, as far as they are there.
[[nodiscard]] std::vector<std::string> definitions_in(const std::filesystem::path& folder);

/// True for a folder that is meant as a workflow: it has one of these files; or phases/, or
/// documents that are numbered as steps, and thus does without. Looks at names only.
[[nodiscard]] bool is_workflow_folder(const std::filesystem::path& folder);

/// A workflow that is there more than once, under these names: listed, and not startable. `file`
/// is the place that its finding names.
[[nodiscard]] LoadedWorkflow two_definitions(std::string id, const std::vector<std::string>& names,
                                             std::string file);

}  // namespace phasegate::phases
