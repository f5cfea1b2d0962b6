#pragma once
#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/engine/ports.h"
#include "phases/workflow.h"

namespace phasegate::gating::engine {

/// The workflow with the phases of the document that the input names: what a run started now is
/// pinned to. `input` is as taken_input gives it; the folder in it becomes the one form under which
/// starts are compared. `documents` null: none can be had.
/// Errors: those of ProjectDocuments; `invalid_tasks` with file, line and code of what is wrong
/// with the document: never its words, which may be a later phase's (invariant 1).
[[nodiscard]] base::Result<phases::LoadedWorkflow> with_document(
    const phases::LoadedWorkflow& loaded, ProjectDocuments* documents, base::Json& input);

/// The same error for a document whose gates cannot be compiled. `where` names the place.
[[nodiscard]] base::Error unusable_document(const phases::LoadedWorkflow& expanded);

}  // namespace phasegate::gating::engine
