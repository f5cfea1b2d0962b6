#pragma once
#include <filesystem>
#include <optional>

#include "base/result.h"

namespace phasegate::state {

/// Why nothing may be begun in `folder` although no database lies there: its anchor says that one
/// did (`damaged`). The anchor is written after a database has its name and something was
/// committed, so that none is ever there before its database, whenever a process is killed.
/// Nullopt: there is a database, or there never was one. Opens one file where there is none.
[[nodiscard]] std::optional<base::Error> lost_store(const std::filesystem::path& folder);

}  // namespace phasegate::state
