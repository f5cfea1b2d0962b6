#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.h"
#include "state/db.h"
#include "state/restore.h"

/// The parts of a restore that look at databases; see restore.h.
namespace phasegate::state {

/// Reads the copy in `staged` whole, brings it up to this program's version, audits it with the
/// keys in `folder`, and enters what it is. `name`: what the copy is called. Throws StoreFailure
/// (`damaged`, `newer_version`, …). O(size).
void look_at_copy(const std::filesystem::path& folder, const std::filesystem::path& staged,
                  const std::string& name, RestorePlan& plan);

/// Enters what lies in `folder` now, and which of its sessions the copy in `staged` does not have
/// as far. O(sessions).
void compare_with_live(const std::filesystem::path& folder, const std::filesystem::path& staged,
                       RestorePlan& plan);

/// Makes `copy` what will be the state of `folder`: newer than anything that was seen here, by the
/// word of `who`. Who accepted what here until now stays known in it.
void prepare_copy(const std::filesystem::path& folder, Db& copy, const std::string& who,
                  base::TimePoint now);

/// Gives the database and its log new names (see set_aside), and leaves the anchor, which the copy
/// that takes their place has to be ahead of.
[[nodiscard]] std::vector<std::string> set_database_aside(const std::filesystem::path& folder,
                                                          base::TimePoint moment);

/// Lets the anchor follow what was restored.
void anchor_restored(const std::filesystem::path& folder);

}  // namespace phasegate::state
