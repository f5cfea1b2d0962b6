#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/invocation.h"
#include "app/environment.h"
#include "base/result.h"
#include "phases/workflow.h"

namespace phasegate::app::cli {

/// A workflow that is to be validated.
struct Target {
  std::string shown_path;      ///< under which a person finds it
  std::string folder;          ///< to be put before its files' names; may be empty
  std::filesystem::path path;  ///< its file or folder; empty for a built-in one
  phases::LoadedWorkflow loaded;
};

struct Targets {
  std::vector<Target> workflows;  ///< at least one
  std::vector<phases::Finding> place_findings;
};

/// What `validate` was asked to look at: a workflow's file or folder, a folder of workflows, the id
/// of a workflow that the library knows, or, for an empty argument, all of this project's places.
/// Errors: `not_found` with what is there instead; those of resolve() where a project is needed.
[[nodiscard]] base::Result<Targets> find_targets(const Invocation& invocation,
                                                 const Environment& environment);

/// The text of the line that a source of this workflow names, read from its files (or the
/// program's own text); empty if it cannot be had.
[[nodiscard]] std::string source_line(const Target& target, const phases::Source& source);

}  // namespace phasegate::app::cli
