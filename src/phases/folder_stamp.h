#pragma once
#include <filesystem>
#include <string>

namespace phasegate::phases {

/// A digest of names, sizes and modification times (nanoseconds) of everything in a folder, without
/// reading a file: equal as long as nothing changed. Never fails; what cannot be looked at counts
/// as such. O(entries), at most limits::kWorkflowFilesMax of them.
[[nodiscard]] std::string folder_stamp(const std::filesystem::path& folder);

/// The same for one file.
[[nodiscard]] std::string file_stamp(const std::filesystem::path& file);

}  // namespace phasegate::phases
