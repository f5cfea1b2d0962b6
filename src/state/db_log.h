#pragma once
#include <cstdint>

#include "state/db_busy.h"

struct sqlite3;

namespace phasegate::state {

/// Keeps the write-ahead log short. Like SQLite itself it copies what it can after each commit once
/// the log holds a thousand pages; but that never begins the log anew while readers follow each
/// other without a gap, so that a busy store's log would grow without end. Once it has grown to
/// four times what is kept on disk, it waits a moment for the readers that are there, during which
/// new ones read from the database itself. While one stays (a backup, `phasegate doctor`), the
/// log grows, and that moment is spent once in a while only.
class LogBound {
 public:
  /// `busy` is the connection's, and must outlive it as well.
  explicit LogBound(BusyWait& busy) : busy_(busy) {}
  LogBound(const LogBound&) = delete;
  LogBound& operator=(const LogBound&) = delete;

  /// Takes effect for this connection, which it must outlive.
  void attach(sqlite3* handle);

 private:
  static int after_commit(void* self, sqlite3* handle, const char* schema, int pages);
  void shorten(sqlite3* handle, const char* schema, int pages);

  BusyWait& busy_;
  int begin_anew_at_ = 0;  ///< pages in the log
};

}  // namespace phasegate::state
