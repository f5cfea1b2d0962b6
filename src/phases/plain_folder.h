#pragma once
#include <filesystem>

#include "phases/workflow.h"

namespace phasegate::phases {

/// True for a folder whose names say that it holds phases, without a file that defines a workflow:
/// `phases/N/…`, `phases/phase-N-*.md`, or two documents such as `step-01-*.md` and `step-02-*.md`.
/// Looks at names only.
[[nodiscard]] bool is_plain_workflow_folder(const std::filesystem::path& folder);

/// Reads such a folder (docs/documents.md): its phases by number, their texts and tasks by the
/// names of the files. A gate is what gate-definition.yaml says, reconciled with what the documents
/// of the phase ask for on leaving it. Ownership, links and copies are as in every workflow folder,
/// so that a file outside of the phases is shown once text that was reached links to it.
/// Nothing about the content is fatal to the call; linear in what it reads, at most
/// limits::kWorkflowBytesMax bytes.
[[nodiscard]] LoadedWorkflow read_plain_folder(const std::filesystem::path& folder);

}  // namespace phasegate::phases
