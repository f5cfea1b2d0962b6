#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <sys/stat.h>

#include "base/descriptor.h"

/// Opening what lies below a root without leaving it: part by part, and through no link. Paths are
/// relative to the root and normalised; `""` is the root itself.
namespace phasegate::rag {

/// Opens a folder to be listed. Not open, and errno set, if there is none or a link on the way.
[[nodiscard]] base::Descriptor open_folder(const std::filesystem::path& root,
                                           std::string_view path);

/// True for an errno that says nothing of a file or folder, only of the moment (out of descriptors
/// or memory, a network or disk that fails).
[[nodiscard]] bool is_passing(int code);

/// How a file is held.
enum class Hold {
  stamp,  ///< to ask what it is: needs no right to read it
  bytes,  ///< to read it; never waits for a pipe or a device
};
/// Opens whatever is not a link. Not open, and errno set (ELOOP: it is a link), if it cannot be.
[[nodiscard]] base::Descriptor open_file(const std::filesystem::path& root, std::string_view path,
                                         Hold hold);

/// Where the links of a path lead.
struct LinkTarget {
  std::string path;      ///< without links, if it lies below the root
  bool outside = false;  ///< it does not
};
/// nullopt, and errno set: nowhere, or in a circle.
[[nodiscard]] std::optional<LinkTarget> link_target(const std::filesystem::path& root,
                                                    std::string_view path);

/// The names in an open folder, sorted, without `.` and `..`; no more than
/// `entries_max` and one. nullopt, and errno set, if it cannot be read to its end.
struct FolderEntry {
  std::string name;
  unsigned char type = 0;  ///< DT_…, DT_UNKNOWN where the file system does not say
};
[[nodiscard]] std::optional<std::vector<FolderEntry>> entries_of(const base::Descriptor& folder,
                                                                 std::size_t entries_max);

/// The whole of an open file, unless it has more than `bytes_max` bytes (nullopt, errno 0) or
/// cannot be read (nullopt, errno set).
[[nodiscard]] std::optional<std::string> bytes_of(const base::Descriptor& file,
                                                  std::size_t bytes_max);

/// `a/b` of `a/b/c`; `""` of `a`.
[[nodiscard]] std::string_view folder_of(std::string_view path);
[[nodiscard]] std::string_view name_of(std::string_view path);
/// `name` in the folder.
[[nodiscard]] std::string path_in(std::string_view folder, std::string_view name);
/// True if the path is the folder or lies in it; everything lies in `""`.
[[nodiscard]] bool lies_in(std::string_view path, std::string_view folder);
/// How many parts a path has.
[[nodiscard]] std::size_t depth_of(std::string_view path);

}  // namespace phasegate::rag
