#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "state/db.h"
#include "state/file_system.h"
#include "state/migrations.h"
#include "state/seal/store_guard.h"

namespace phasegate::state {

/// The name of the database in a state folder.
inline constexpr std::string_view kStoreFileName = "state.db";

/// The database file of a store, made at the first write and opened at the first use. Looks before
/// each use whether database and log are still the files that were opened, so that nothing is
/// written into a file that somebody has deleted, replaced or cut short (`damaged`). Another
/// database that was put in the place of the one in use is used from then on; a database that was
/// in use and is gone is never made anew by the same object, which would hide the loss.
class StoreFile {
 public:
  struct Options {
    std::int64_t busy_ms = 0;
    std::int64_t pages_max = 0;
    /// Of the database in its folder.
    std::string file_name = std::string(kStoreFileName);
    /// Its `PRAGMA application_id`, by which one kind of database is not taken for another.
    std::int64_t application_id = kApplicationId;
    /// Says by name if a folder lies on a network's file system, where no database is opened.
    std::function<std::optional<std::string>(const std::filesystem::path&)> network_of =
        network_file_system_of;
  };

  /// `migrations` must outlive the object.
  StoreFile(const std::filesystem::path& folder, const Options& options,
            std::span<const Migration> migrations = all_migrations());

  /// An open connection, or null if there is no database yet. Throws StoreFailure.
  [[nodiscard]] Db* for_reading();
  /// Looks once for all reads until end_reading, which see one moment: for_reading then gives the
  /// same connection without looking. False if there is no database yet, or a reading has begun
  /// already. Throws StoreFailure; a connection that is closed has no reading.
  [[nodiscard]] bool begin_reading();
  void end_reading() noexcept { snapshot_.reset(); }
  [[nodiscard]] bool is_reading() const { return snapshot_.has_value(); }
  /// An open connection; makes folder and file if need be. Throws StoreFailure.
  [[nodiscard]] Db& for_writing();
  /// Closes the connection; the next use opens the file again.
  void close();
  /// Throws StoreFailure (`newer_version`) if the database has another schema than this program.
  void require_known_schema(Db& db) const;
  /// What seals and verifies the rows of the open connection; null for a database whose histories
  /// are not sealed. Valid until `close`.
  [[nodiscard]] Seal* seal() { return seal_ ? &*seal_ : nullptr; }
  /// Throws StoreFailure (`damaged`), saying what happened to the files and what became of the
  /// sessions. Saves what the log holds if the log was lost. Not within a transaction; the
  /// connection must be closed afterwards.
  [[noreturn]] void refuse_files(Db& db, FilesFound found) const;

 private:
  [[nodiscard]] Db* connection_in_place();
  void open_existing();
  void create();
  [[nodiscard]] bool exists() const;
  /// Throws StoreFailure (`network_file_system`).
  void require_local(const std::filesystem::path& folder) const;

  std::filesystem::path folder_;
  std::filesystem::path file_;
  Options options_;
  std::span<const Migration> migrations_;
  std::unique_ptr<Db> db_;
  std::optional<Seal> seal_;
  std::optional<Snapshot> snapshot_;  // ends before its connection
  bool was_open_ = false;
};

/// A write transaction on a store's database: BEGIN IMMEDIATE, and schema and files are still the
/// ones that were opened; another program may have migrated or removed them while this one waited
/// for the lock. Where histories are sealed, nothing is written into a database that is older than
/// it was (see store_guard.h). Rolled back unless committed.
class StoreTransaction {
 public:
  /// Throws StoreFailure (`busy`, `newer_version`, `damaged`, …).
  StoreTransaction(StoreFile& file, Db& db);
  /// For who writes sessions. std::logic_error where histories are not sealed.
  [[nodiscard]] StoreGuard& guard();
  /// Whether the anchor is synced after the commit, which costs one more wait for the disk.
  enum class Anchor { raised, synced };
  void commit(Anchor anchor = Anchor::raised);

 private:
  Transaction transaction_;
  std::optional<StoreGuard> guard_;
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
