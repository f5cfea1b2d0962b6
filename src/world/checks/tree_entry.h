#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"

namespace phasegate::world::checks {

/// What is at a path of the working tree, to be compared with what was or will be there.
struct TreeEntry {
  enum class Kind { absent, file, link, other };
  Kind kind = Kind::absent;
  /// Of what it holds: the SHA-256 of a file's bytes, with `+x` if its owner may execute it, a
  /// digest of where a link leads and of the file there, of size and times for a file over
  /// limits::kCheckedFileBytesMax. Empty: nothing is there. What cannot be looked into (a folder, a
  /// device, a file without permission) is never the same as anything: see same_entry.
  std::string digest;
};

/// Looks at `root`/`path` without following any link on the way; below a link nothing is there.
/// O(bytes of the file).
[[nodiscard]] TreeEntry look_at(const std::filesystem::path& root, std::string_view path);

/// The folder that `root`/`path` lies in, opened without following any link on the way; not open if
/// there is none.
[[nodiscard]] base::Descriptor open_folder_of(const std::filesystem::path& root,
                                              std::string_view path);
/// The last part of a path.
[[nodiscard]] std::string last_part(std::string_view path);

/// The digest of what cannot be looked into.
inline constexpr std::string_view kUnknownEntry = "unknown";
/// True if both digests are known and the same.
[[nodiscard]] bool same_entry(std::string_view a, std::string_view b);

/// Files and links below the folder `root`/`folder`, as paths below `root`; `.git` and what links
/// lead to are left out. `whole` becomes false if there are more than `files_max`.
[[nodiscard]] std::vector<std::string> entries_within(const std::filesystem::path& root,
                                                      const std::string& folder,
                                                      std::size_t files_max, bool& whole);

}  // namespace phasegate::world::checks
