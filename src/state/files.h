#pragma once
#include <filesystem>
#include <utility>

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

}  // namespace phasegate::state
