#pragma once
#include <filesystem>
#include <string_view>

#include "phases/requirement_reader.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Reads a workflow folder: metadata.json, phases/N/phase.md, task files, gate-definition.yaml.
///
/// `folder` is the folder itself, its name is the workflow's id. Nothing about the content is fatal
/// to the call: what cannot be read is an error among the findings, the rest is still there. The
/// metadata's mapping of files wins over the listing of directories.
/// Reads at most limits::kWorkflowBytesMax bytes; linear in what it reads.
[[nodiscard]] LoadedWorkflow read_workflow_folder(const std::filesystem::path& folder,
                                                  const RequirementReader& requirements);

}  // namespace phasegate::phases
