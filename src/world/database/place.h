#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"
#include "world/database/connection.h"

namespace phasegate::world::database {

/// Where a database of the project lies, links resolved. It need not be there.
struct Place {
  std::filesystem::path root;  ///< canonical
  std::string path;            ///< below it, normalised, without links
  bool there = false;          ///< something lies there: a regular file
  std::uint64_t device = 0;    ///< which one, if it is there
  std::uint64_t inode = 0;
  std::uint32_t mode = 0600;  ///< its permissions; those of a new one

  [[nodiscard]] std::filesystem::path file() const { return root / path; }
  /// Its folder below the root; empty: the root itself.
  [[nodiscard]] std::string folder() const;
  [[nodiscard]] std::string file_name() const;
};

/// Finds `path` below `root`. Links are followed only as long as they stay below the root
/// (ARCHITECTURE §5). Errors: `invalid_path`, `outside_root`, `not_a_file`,
/// `unreadable`. Messages name `path` only.
[[nodiscard]] base::Result<Place> find_database(const std::filesystem::path& root,
                                                std::string_view path);

/// Opens what was found, and then looks whether what was opened is what was found: a path may
/// become a link in between. Errors: `changed`, and those of Connection::open.
[[nodiscard]] base::Result<Connection> open_at(const Place& place, Connection::Mode mode,
                                               std::int64_t busy_ms);

/// A folder below the root, opened part by part: a part that is a link is not followed. Not open:
/// errno says why.
[[nodiscard]] base::Descriptor open_folder(const std::filesystem::path& root,
                                           std::string_view below);

/// What an errno means; `doing` completes "… cannot be …".
[[nodiscard]] base::Error describe_errno(int number, std::string_view what);

}  // namespace phasegate::world::database
