#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "phases/workflow.h"

namespace phasegate::phases {

/// What is said when the last phase is done, unless the author wrote something else.
[[nodiscard]] std::string default_complete_message(const Workflow& workflow);

/// The digest that identifies a model and its blobs.
[[nodiscard]] std::string content_hash_of(const LoadedWorkflow& loaded);

/// True for a name that can be a workflow's: no path, nothing hidden, no control characters.
[[nodiscard]] bool is_workflow_name(std::string_view name);

/// The name of the folder that `folder` names, also for `.`, `x/` and `x/..`.
[[nodiscard]] std::string workflow_name_of(const std::filesystem::path& folder);

/// A workflow that is listed with what is wrong with it, and nothing else.
[[nodiscard]] LoadedWorkflow unreadable_workflow(std::string id, Finding finding);

}  // namespace phasegate::phases
