#pragma once
#include <optional>
#include <string>

#include "phases/finding_list.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// True if a check of the gate looks at something else than what was handed over.
[[nodiscard]] bool looks_for_itself(const Gate& gate);

/// A check that would find out what a field only claims, as an item of a list of checks:
/// `{name: tests_pass, tests: {project: test}}`; nullopt if the words of the field do not say
/// anything that a check knows. Meant for true or false alone. Linear in the words.
[[nodiscard]] std::optional<std::string> proposed_check(const Requirement& requirement);

/// Findings about what gates leave unchecked: `check_proposed` (info) for a required boolean that
/// no check finds out although one could, and for a required path that none looks at, with the
/// check to paste; `forgeable_report` (warning) for a report that is read where nothing runs the
/// tests, since whoever can write files can write it; `unknown_input` (error) for a
/// `{{input.NAME}}` that a workflow with a schema of its input does not ask for. What a project
/// must have for the checks is lint_project's. Pure; linear in fields × checks.
void lint_checks(const Workflow& workflow, FindingList& findings);

}  // namespace phasegate::phases
