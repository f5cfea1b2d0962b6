#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "world/checks/kinds.h"

namespace phasegate::world::checks {

/// Makes the files that the globs match in `tree` those that they match in the project: what is
/// there now is copied over it, what is gone is removed from it. Links are copied as links, never
/// followed; a link to an absolute path is refused, for it would lead out of the tree. True if
/// anything was different. Errors: those of guarded_files; `worktree_failed`. O(bytes of the
/// files).
[[nodiscard]] base::Result<bool> lay_over(const std::vector<std::string>& globs,
                                          const Place& project, const std::filesystem::path& tree);

}  // namespace phasegate::world::checks
