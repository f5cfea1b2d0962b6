#pragma once
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/descriptor.h"

namespace phasegate::state {

/// Makes `folder` and the folders above it that are missing, readable by their owner only (0700);
/// existing ones are left as they are. Throws StoreFailure (`read_only`, `disk_full`, `io_error`).
void make_private_folder(const std::filesystem::path& folder);

/// Makes a new empty file that only its owner may read and write (0600). Throws StoreFailure if it
/// exists or cannot be made.
void create_private_file(const std::filesystem::path& file);

/// Syncs a folder, so that a name made in it survives a power failure.
void sync_folder(const std::filesystem::path& folder);

/// A fresh name beside `file` for something that is not finished: `state.db.new-<random>`.
[[nodiscard]] std::filesystem::path unfinished_name(const std::filesystem::path& file);

/// Removes a database and the files that SQLite keeps beside it when it goes out of scope.
class RemoveOnExit {
 public:
  explicit RemoveOnExit(std::filesystem::path file) : file_(std::move(file)) {}
  ~RemoveOnExit();
  RemoveOnExit(const RemoveOnExit&) = delete;
  RemoveOnExit& operator=(const RemoveOnExit&) = delete;

 private:
  std::filesystem::path file_;
};

/// An empty private file (0600) under a fresh name beside `file`, which is filled, given its name
/// with give_name, and removed with what SQLite keeps beside it when the object goes. While it
/// lives, its lock (flock) says that it is no leftover. Throws as create_private_file.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::filesystem::path& file);
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  ~UnfinishedFile() = default;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Appends bytes. Throws StoreFailure (`disk_full`, `io_error`).
  void append(std::string_view bytes);
  /// Writes it through to the disk.
  void sync();
  /// Gives up the lock. Needed before the file gets the name of a database that this process may
  /// open at once: closing a descriptor drops the locks that SQLite holds on the same file.
  void unlock() { lock_.reset(); }

 private:
  std::filesystem::path path_;
  RemoveOnExit cleanup_;
  base::Descriptor lock_;
};

/// Gives a finished file the name `to` as well, which must not be taken. False if it is; throws
/// StoreFailure for everything else. The folder must be synced afterwards.
[[nodiscard]] bool give_name(const std::filesystem::path& unfinished,
                             const std::filesystem::path& to);

/// How long a file that is not finished must not have been written before it can be a leftover.
inline constexpr int kLeftoverSeconds = 3600;

/// Removes the unfinished files of killed processes in `folder`, `PREFIX.new-…` with what SQLite
/// keeps beside them: those that nobody has locked and nobody has written for kLeftoverSeconds.
/// Earlier versions did not lock, but write all the time. Returns how many there were; never
/// throws. O(files in the folder).
int remove_leftovers(const std::filesystem::path& folder, std::string_view prefix) noexcept;

}  // namespace phasegate::state
