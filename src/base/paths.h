#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace phasegate::base {

/// A relative path in `/` form with `.` and empty parts removed and `..` resolved. Refuses
/// (`invalid_path`) an absolute path, one that climbs above its start, control characters and NUL.
[[nodiscard]] Result<std::string> normalised_relative(std::string_view path);

/// The file `relative` below `root`, read whole. Symbolic links are followed only as long as the
/// result stays below the canonical root. Errors: `not_found`, `outside_root`, `not_a_file`
/// (directories, devices, pipes), `too_large`, `unreadable`. Messages name `relative`, never the
/// absolute path.
[[nodiscard]] Result<std::string> read_file_below(const std::filesystem::path& root,
                                                  std::string_view relative, std::size_t bytes_max);

/// Regular files below `root` as normalised relative paths, sorted. Links that lead out of the
/// root and links to folders are not followed; hidden entries (`.git`, …) are left out. Refuses
/// (`too_many`) more than `files_max` files; deeper folders than `depth_max` are left out.
[[nodiscard]] Result<std::vector<std::string>> list_files_below(const std::filesystem::path& root,
                                                                std::size_t files_max,
                                                                std::size_t depth_max);

/// The user's home folder from the password database, not from HOME, which clients and sandboxes
/// change; empty if the user has no entry.
[[nodiscard]] std::filesystem::path home_folder();

}  // namespace phasegate::base
