#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "world/database/backup_folder.h"
#include "world/database/connection.h"
#include "world/database/place.h"

namespace phasegate::world::database {

/// A copy of a database.
struct Backup {
  std::string id;          ///< a UUID; empty: the list does not know this file
  std::string database;    ///< the database's file name
  std::string created_at;  ///< RFC 3339; empty as above
  std::string path;        ///< its file name in the folder of copies
  std::string run_id;      ///< the run that it was made for; empty: none
  std::int64_t size_bytes = 0;
  std::string sha256;  ///< empty as `id`

  friend bool operator==(const Backup&, const Backup&) = default;
};

/// The list of the copies in a folder: table `database_backups` of `backups.db` beside them
/// (003-69). An open one holds the folder's lock: whoever else makes a copy there waits.
class Manifest {
 public:
  static constexpr std::string_view kFileName = "backups.db";

  /// Waits for others. Errors: `busy`, `list_damaged`, and those of open_at().
  [[nodiscard]] static base::Result<Manifest> open(const Place& database,
                                                   const BackupFolder& folder);
  /// What the list says without locking it; empty if there is none. Errors as above.
  [[nodiscard]] static base::Result<std::vector<Backup>> read(const Place& database,
                                                              const BackupFolder& folder);

  /// The copies of this database, oldest first.
  [[nodiscard]] base::Result<std::vector<Backup>> of(std::string_view database);
  [[nodiscard]] base::Result<void> add(const Backup& backup);
  [[nodiscard]] base::Result<void> forget(std::string_view id);
  /// Keeps what was added and forgotten, and gives up the lock.
  [[nodiscard]] base::Result<void> commit();

 private:
  Manifest(std::unique_ptr<Connection> connection, Transaction transaction)
      : connection_(std::move(connection)), transaction_(std::move(transaction)) {}

  std::unique_ptr<Connection> connection_;  // stays where it is: the transaction refers to it
  Transaction transaction_;
};

}  // namespace phasegate::world::database
