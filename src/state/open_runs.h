#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "gating/run.h"
#include "phases/workflow.h"

namespace phasegate::state {

/// An open run and the workflow that it is pinned to.
struct OpenRun {
  gating::RunState run;
  phases::Workflow workflow;
};

struct OpenRuns {
  std::string project_root;           ///< as in project_root.h
  std::vector<OpenRun> runs;          ///< the one that has changed longest ago first
  std::vector<std::string> problems;  ///< runs that could not be read, a sentence each
};

/// What is open in the store of `folder`, which is only read: nothing is made, migrated or changed.
/// Empty if there is no store and never was. Errors: those of a StoreFailure, for the store as a
/// whole, one that is gone included.
/// O(open runs).
[[nodiscard]] base::Result<OpenRuns> read_open_runs(const std::filesystem::path& folder);

}  // namespace phasegate::state
