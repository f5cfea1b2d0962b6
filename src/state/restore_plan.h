#pragma once
#include <filesystem>
#include <string>

#include "base/clock.h"
#include "state/db.h"
#include "state/restore.h"

/// The parts of a restore that look at databases; see restore.h.
namespace phasegate::state {

/// Reads a copy whole and enters what it is. Throws StoreFailure (`damaged`, naming the session)
/// if anything in it is not what was stored. O(size).
void look_at_copy(Db& copy, RestorePlan& plan);

/// Enters what lies in `folder` now, and which of its sessions the copy in `staged` does not have
/// as far. O(sessions).
void compare_with_live(const std::filesystem::path& folder, const std::filesystem::path& staged,
                       RestorePlan& plan);

/// Makes the copy in `staged` what will be the state of `folder`: brings it up to this program's
/// version, and marks it as newer than anything that was seen here, by the word of `who`. Its log
/// is in it afterwards.
void prepare_copy(const std::filesystem::path& folder, const std::filesystem::path& staged,
                  const std::string& who, base::TimePoint now);

/// Lets the anchor follow what was restored.
void anchor_restored(const std::filesystem::path& folder);

}  // namespace phasegate::state
