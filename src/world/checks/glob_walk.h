#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/globs.h"
#include "base/result.h"

/// The files of a project that patterns of paths take (docs/checks.md).
namespace phasegate::world::checks {

using base::Globs;
using base::Hidden;

/// What of a folder is listed.
enum class Entries {
  files,  ///< regular files, and links that lead to one below the root
  all,    ///< all but folders: links wherever they lead, pipes and devices as well
};

/// What matches below `root` (canonical), sorted by its bytes. Links to folders are not followed.
/// Errors: `too_many` (`files_max`: files and folders that were looked at), `too_deep`,
/// `unreadable` (a folder that could not be looked through: half a list does not pass for the
/// whole), `outside_root` (with Entries::files: a link that leads out could hold anything). Linear
/// in what it looks through.
[[nodiscard]] base::Result<std::vector<std::string>> list_matching(
    const std::filesystem::path& root, const Globs& globs, Entries entries, std::size_t files_max);
/// The same with limits::kCheckedFilesMax.
[[nodiscard]] base::Result<std::vector<std::string>> list_matching(
    const std::filesystem::path& root, const Globs& globs, Entries entries);

}  // namespace phasegate::world::checks
