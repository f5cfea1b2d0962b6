#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "state/db.h"

namespace phasegate::state {

/// `PRAGMA application_id` of our databases: "phgt". A database with another one is not ours.
inline constexpr std::int64_t kApplicationId = 0x70686774;

/// One numbered step of the schema. A published migration never changes; a new one is added.
struct Migration {
  int version;           ///< `PRAGMA user_version` afterwards; 1, 2, 3, … without gaps
  std::string_view sql;  ///< statements without BEGIN and COMMIT
  /// What statements cannot do, after them and in the same transaction; `folder`: of the database.
  void (*then)(Db& db, const std::filesystem::path& folder) = nullptr;
};

/// The migrations of this program, in order.
[[nodiscard]] std::span<const Migration> all_migrations();

/// The schema version that `migrations` lead to.
[[nodiscard]] int newest_version(std::span<const Migration> migrations);

/// Throws StoreFailure (`newer_version`, naming both versions) if the database has a higher schema
/// version than `known`; returns the version it has.
std::int64_t require_version_at_most(Db& db, std::string_view file, int known);

/// Gives a new, empty database its schema, which has a table `meta` from the first version on, and
/// its random id. `folder`: where it will lie.
void initialise(Db& db, const std::filesystem::path& folder, std::span<const Migration> migrations,
                std::string_view database_id, std::int64_t application_id);

/// The random id that `initialise` gave the database; empty if it has none.
[[nodiscard]] std::string read_database_id(Db& db);

/// Brings an existing database of ours up to the newest version. Before the first step the whole
/// database is copied to `<file>.before-vN` (N: the newest version) and the copy is verified; each
/// step is one transaction. Processes that migrate at the same moment wait for each other and one
/// of them does it. Throws StoreFailure: `newer_version` naming both versions, or whatever keeps
/// the backup from being made, and then nothing has changed.
void migrate(Db& db, const std::filesystem::path& file, std::span<const Migration> migrations);

/// The same for a copy that nobody else uses and of which the original is there: nothing is copied
/// first.
void migrate_copy(Db& db, const std::filesystem::path& file, std::span<const Migration> migrations);

}  // namespace phasegate::state
