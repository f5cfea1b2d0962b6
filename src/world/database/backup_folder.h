#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "world/database/place.h"

namespace phasegate::world::database {

/// The folder beside a database that holds its copies.
struct BackupFolder {
  base::Descriptor descriptor;
  std::string path;  ///< below the root

  /// The name of a file in it as messages say it, and as SQLite opens it.
  [[nodiscard]] std::string path_of(std::string_view name) const;
};

/// Opens `backups` beside the database, without following a link in its place. Errors:
/// `not_found` if it is not there and is not to be made, `outside_root` if it is a link or no
/// folder, `unreadable`, `read_only`, `disk_full`.
[[nodiscard]] base::Result<BackupFolder> open_backup_folder(const Place& place, bool make);

/// The names of everything in it, in order. Errors: `unreadable`, `too_many`.
[[nodiscard]] base::Result<std::vector<std::string>> names_in(const BackupFolder& folder);
/// Whether a regular file has this name, no link; its size, or nullopt.
[[nodiscard]] std::optional<std::int64_t> file_size(const BackupFolder& folder,
                                                    const std::string& name);
/// Syncs a file and the folder that names it.
[[nodiscard]] base::Result<void> sync(const BackupFolder& folder, const std::string& name);
/// Gives a file another name; false: that is taken.
[[nodiscard]] base::Result<bool> give_name(const BackupFolder& folder, const std::string& from,
                                           const std::string& to);

/// SHA-256 and size of a regular file in the folder of copies; errors: `not_found`, `unreadable`.
struct FileState {
  std::string sha256;
  std::int64_t size = 0;
};
[[nodiscard]] base::Result<FileState> state_of(const BackupFolder& folder, const std::string& name);

/// A new private file for what is not finished. It goes away with the object, and with everything
/// that SQLite keeps beside it, unless it was given a name. Only the holder of the list's lock
/// makes one, so those that are found by the next are what an interrupted process left.
class Unfinished {
 public:
  [[nodiscard]] static base::Result<Unfinished> make(const BackupFolder& folder,
                                                     std::string_view id);
  Unfinished(Unfinished&& other) noexcept
      : folder_(std::exchange(other.folder_, nullptr)), name_(std::move(other.name_)) {}
  Unfinished& operator=(Unfinished&&) = delete;
  ~Unfinished();

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Removes what interrupted processes left.
  [[nodiscard]] static base::Result<void> remove_leftovers(const BackupFolder& folder);

 private:
  Unfinished(const BackupFolder& folder, std::string name)
      : folder_(&folder), name_(std::move(name)) {}

  const BackupFolder* folder_;
  std::string name_;
};

}  // namespace phasegate::world::database
