#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace phasegate::state {

/// Something in a store that is not what was stored.
struct DamagedItem {
  std::string run_id;
  std::string message;
};

/// What a store looks like from outside, for `phasegate doctor`.
struct StoreReport {
  bool exists = false;
  std::uintmax_t bytes = 0;
  std::uintmax_t log_bytes = 0;  ///< the write-ahead log beside it
  unsigned folder_mode = 0;      ///< permission bits, as 0700
  unsigned file_mode = 0;
  bool private_to_owner = false;  ///< nobody else may read or write file or folder, and we own both
  bool writable = false;          ///< this process may write
  int schema_version = 0;
  int schema_version_known = 0;  ///< the newest one that this program reads
  std::string database_id;
  std::map<std::string, std::int64_t> runs_by_status;
  std::int64_t runs = 0;
  std::int64_t effects_waiting = 0;
  std::string integrity;               ///< what SQLite's check found; empty: nothing is wrong
  std::vector<DamagedItem> damaged;    ///< at most limits::kDamagedShownMax …
  std::size_t damaged_left_out = 0;    ///< … and so many more
  std::vector<std::string> backups;    ///< file names, below the folder; oldest first
  std::vector<std::string> set_aside;  ///< names of what could not be used and was moved away
  /// The network's file system on which the folder lies, where no database is opened.
  std::optional<std::string> network;
  std::vector<std::string>
      unfinished;  ///< left behind by a process that was killed; may be deleted
  /// What is wrong with a key beside it; see request_key.h and evidence_key.h.
  std::optional<base::Error> key_problem;
  /// Why nothing may be written: the keys of the histories, the store's mark or its anchor.
  std::optional<base::Error> seal_problem;
  /// Why the rest could not be read: a foreign, damaged or newer file, no permission.
  std::optional<base::Error> problem;
};

struct InspectOptions {
  /// Also read every run, its workflow and documents, and SQLite's whole integrity check. Without
  /// it the cost is that of reading the file once. Where the keys cannot be read, which
  /// `seal_problem` says once, nothing is read that they would have to vouch for.
  bool thorough = false;
};

/// Looks at the store in `folder` without making, migrating or changing anything. Never throws for
/// the store's sake: what is wrong stands in the report.
[[nodiscard]] StoreReport inspect(const std::filesystem::path& folder,
                                  const InspectOptions& options = {});

}  // namespace phasegate::state
