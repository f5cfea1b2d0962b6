#pragma once
#include <string_view>

#include "phases/workflow.h"

namespace phasegate::phases {

/// The workflow with the phases of a spec's tasks file behind its listed ones (004, dynamic
/// phases): what a run of it is pinned to. `workflow.dynamic` must be set; it is none afterwards.
///
/// `path` is the tasks file's path within the project, for sources and as the beginning of the new
/// documents' names: `specs/x/tasks.md#1` holds phase 1, `specs/x/tasks.md#1/1.1` its task 1.1.
/// Each is shown with its phase and no other; the file itself is never shown. Templates are filled
/// in. Ids are as written; a file without phases gets the next free number. Gates: what the phase
/// asks for in its own gate, else one boolean per task (`gate_from_tasks`, a warning), else a weak
/// one; behind that the boxes of the phase template, which ask the same of every phase. Acceptance
/// criteria of tasks are shown with them and are no evidence.
///
/// Errors are among the findings: `unreadable_text` (too large, not UTF-8, control characters),
/// those of read_tasks, `phase_id_taken` (the workflow lists a phase of that id),
/// `too_many_phases`, `too_many_requirements`, `too_large` (filled templates and all,
/// limits::kWorkflowBytesMax). Pure. Nearly linear in the text, and in the templates times phases
/// and tasks.
[[nodiscard]] LoadedWorkflow with_dynamic_phases(const LoadedWorkflow& loaded,
                                                 std::string_view tasks, std::string_view path);

}  // namespace phasegate::phases
