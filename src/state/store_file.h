#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "state/db.h"
#include "state/migrations.h"

namespace phasegate::state {

/// The name of the database in a state folder.
inline constexpr std::string_view kStoreFileName = "state.db";

/// The database file of a store, made at the first write and opened at the first use. Looks before
/// each use whether the file is still the one that was opened, so that nothing is written into a
/// file that somebody has deleted or replaced.
class StoreFile {
 public:
  struct Options {
    std::int64_t busy_ms = 0;
    std::int64_t pages_max = 0;
  };

  /// `migrations` must outlive the object.
  StoreFile(const std::filesystem::path& folder, const Options& options,
            std::span<const Migration> migrations = all_migrations());

  /// An open connection, or null if there is no database yet. Throws StoreFailure.
  [[nodiscard]] Db* for_reading();
  /// An open connection; makes folder and file if need be. Throws StoreFailure.
  [[nodiscard]] Db& for_writing();
  /// Closes the connection; the next use opens the file again.
  void close();
  /// Throws StoreFailure (`newer_version`) if the database has another schema than this program.
  void require_known_schema(Db& db) const;

 private:
  void open_existing();
  void create();
  [[nodiscard]] bool exists() const;

  std::filesystem::path folder_;
  std::filesystem::path file_;
  Options options_;
  std::span<const Migration> migrations_;
  std::unique_ptr<Db> db_;
};

/// A write transaction on a store's database: BEGIN IMMEDIATE, and the schema is still the one that
/// this program knows; another program may have migrated the file since it was opened. Rolled back
/// unless committed.
class StoreTransaction {
 public:
  /// Throws StoreFailure (`busy`, `newer_version`, …).
  StoreTransaction(const StoreFile& file, Db& db);
  void commit() { transaction_.commit(); }

 private:
  Transaction transaction_;
};

/// Closes the file's connection if the scope is left by an exception: whatever state a failure has
/// left the connection in, the next call starts with a new one. Declare it before statements.
class CloseOnFailure {
 public:
  explicit CloseOnFailure(StoreFile& file);
  ~CloseOnFailure();
  CloseOnFailure(const CloseOnFailure&) = delete;
  CloseOnFailure& operator=(const CloseOnFailure&) = delete;

 private:
  StoreFile& file_;
  int exceptions_;
};

}  // namespace phasegate::state
