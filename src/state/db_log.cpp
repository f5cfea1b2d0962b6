#include "state/db_log.h"

#include <chrono>

#include <sqlite3.h>

#include "base/limits.h"

namespace phasegate::state {
namespace {

/// As SQLite does without us (`wal_autocheckpoint`).
constexpr int kCopyAtPages = 1000;
constexpr int kPageBytes = 4096;
constexpr int kBeginAnewAtPages =
    static_cast<int>(4 * base::limits::kStoreLogBytesKept) / kPageBytes;
/// Of one try. Nobody writes meanwhile, and whoever has committed waits.
constexpr std::chrono::milliseconds kPatience{30};
/// A try can wait in vain for readers of what is newest, who have come in the place of those it has
/// to wait for and take turns there; the next sees that it need not wait for them.
constexpr int kTries = 4;

}  // namespace

void LogBound::attach(sqlite3* handle) {
  begin_anew_at_ = kBeginAnewAtPages;
  sqlite3_wal_hook(handle, after_commit, this);
}

int LogBound::after_commit(void* self, sqlite3* handle, const char* schema, int pages) {
  static_cast<LogBound*>(self)->shorten(handle, schema, pages);
  // The commit is done, whatever has become of the log: the next one tries again.
  return SQLITE_OK;
}

void LogBound::shorten(sqlite3* handle, const char* schema, int pages) {
  if (pages < kBeginAnewAtPages) begin_anew_at_ = kBeginAnewAtPages;
  if (pages < kCopyAtPages) return;
  if (pages < begin_anew_at_) {
    sqlite3_wal_checkpoint_v2(handle, schema, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    return;
  }
  const BusyWait::Shorter shorter(busy_, kPatience);
  for (int i = 0; i < kTries; ++i) {
    if (sqlite3_wal_checkpoint_v2(handle, schema, SQLITE_CHECKPOINT_RESTART, nullptr, nullptr) !=
        SQLITE_BUSY) {
      break;
    }
  }
  begin_anew_at_ = pages + kCopyAtPages;
}

}  // namespace phasegate::state
