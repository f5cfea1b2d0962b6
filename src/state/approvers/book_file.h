#pragma once
#include <filesystem>
#include <string_view>

#include "state/store_file.h"

namespace phasegate::state {

/// The names of the book's database and of the mark beside it.
inline constexpr std::string_view kBookFileName = "approvers.db";
inline constexpr std::string_view kBookMarkName = "approvers.enrolled";

/// The database of the approvers: a StoreFile of its own kind, which is used only while nobody but
/// its owner could have written it. All functions throw gating::engine::StoreFailure; beside what a
/// StoreFile throws, `unsafe_file` for a file that is a link or no regular file, belongs to
/// somebody else, may be read or written by others or lies in a folder that others may write, is
/// larger than 4 MiB, or is gone although somebody was enrolled. What is refused is left as it is.
class BookFile {
 public:
  explicit BookFile(const std::filesystem::path& folder);

  /// An open connection, or null if nobody was ever enrolled.
  [[nodiscard]] Db* for_reading();
  /// An open connection; makes folder and file if need be.
  [[nodiscard]] Db& for_writing();
  /// Leaves a mark that somebody was enrolled, so that a lost file does not look like none. To be
  /// called before that is committed.
  void mark_enrolled();
  [[nodiscard]] StoreFile& store() { return store_; }

 private:
  void require_safe() const;

  std::filesystem::path folder_;
  StoreFile store_;
};

}  // namespace phasegate::state
