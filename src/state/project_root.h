#pragma once
#include <string>
#include <string_view>

#include "state/db.h"

/// Which project a store is of: its name says so only in part, since it is made from a digest.
namespace phasegate::state {

/// Keeps the root unless it is kept already; the last writer's counts, where several worktrees or
/// folders share a store. A path that is not UTF-8 is not kept. Part of the caller's transaction.
void keep_project_root(Db& db, std::string_view root);

/// Empty if none was kept.
[[nodiscard]] std::string read_project_root(Db& db);

}  // namespace phasegate::state
