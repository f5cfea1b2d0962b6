#include "state/seal/under_log.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include <sys/stat.h>

#include "state/seal/store_guard.h"
#include "state/seal/store_mark.h"

namespace phasegate::state {
namespace {

/// The log and the database's file as they are now: whoever copies from the one into the other, or
/// writes over one of them, changes this.
std::string files_of(const Db& db, const std::string& log) {
  struct stat status{};
  if (::stat(db.path().c_str(), &status) != 0) return "";
  std::string files = log;
  for (const auto number :
       {static_cast<std::int64_t>(status.st_ino), static_cast<std::int64_t>(status.st_size),
        static_cast<std::int64_t>(status.st_mtim.tv_sec),
        static_cast<std::int64_t>(status.st_mtim.tv_nsec),
        static_cast<std::int64_t>(status.st_ctim.tv_sec),
        static_cast<std::int64_t>(status.st_ctim.tv_nsec)}) {
    files += " " + std::to_string(number);
  }
  return files;
}

/// What the file says of itself.
struct Found {
  std::optional<std::int64_t> counter;  ///< of its mark; nullopt: it has none that holds
  bool torn = false;                    ///< it has one of this database that does not hold
};

/// The page that has the mark is read by itself: while a log is copied into the file, and after a
/// process was killed at it, the other pages need not go together.
Found look_at_file(Db& db, Seal& seal) {
  const auto number = db.query_integer("SELECT rootpage FROM sqlite_schema WHERE name = 'meta'");
  Found found;
  // Another process may be writing this very page.
  constexpr int kTries = 3;
  for (int i = 0; i < kTries && !found.counter; ++i) {
    const std::string page = db.page_in_file(number.value_or(0));
    if (const auto mark = newest_mark_in(page, seal)) found.counter = mark->counter;
    found.torn = names_a_mark(page) && page.find(seal.database_id()) != std::string::npos;
  }
  return found;
}

}  // namespace

base::Result<void> compare_under_log(Db& db, Seal& seal, const std::optional<Anchor>& anchor) {
  if (!anchor) return {};
  const auto log = db.log_name();
  if (log && log->empty()) return {};
  // Begun anew since that slot was written: then all that it counts was in the file before.
  const bool begun_anew = anchor->log && log && *anchor->log != *log;
  const std::int64_t wanted =
      std::max(begun_anew ? anchor->counter : anchor->held, seal.under_log.counter);
  std::string files = files_of(db, log.value_or(""));
  if (!files.empty() && seal.under_log.files == files) return {};
  const Found found = look_at_file(db, seal);
  // A power cut while the page was written; SQLite takes it from the log, where it still is.
  if (!found.counter && (found.torn || wanted == 0)) return {};
  if (found.counter && *found.counter >= wanted) {
    seal.under_log = {std::move(files), *found.counter};
    return {};
  }
  // The last connection would make one file of both, of which nobody could tell any more.
  db.leave_files_at_close();
  return frozen("state.db is not the file that its log state.db-wal was written for: " +
                (found.counter ? "by itself its counter is " + std::to_string(*found.counter)
                               : std::string("by itself it has no counter of this state")) +
                ", and it was " + std::to_string(wanted) + " when the log began");
}

}  // namespace phasegate::state
