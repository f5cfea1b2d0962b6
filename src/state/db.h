#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "state/db_watch.h"

struct sqlite3_backup;

/// RAII over SQLite's C interface: a connection, a prepared statement, a transaction. No other
/// header of the room knows SQLite. Whatever SQLite refuses becomes a
/// gating::engine::StoreFailure with a code that says what kind of trouble it is.
namespace phasegate::state {

class Db;

/// A prepared statement on loan from its connection's cache; destroying it resets it. Parameters
/// and columns count as SQLite counts them: parameters from 1, columns from 0.
class Statement {
 public:
  ~Statement();
  Statement(Statement&&) noexcept;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  Statement& operator=(Statement&&) = delete;

  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, std::string_view text);
  Statement& bind_null(int index);
  /// The bytes are not copied: they must live until the statement is destroyed.
  Statement& bind_blob(int index, std::string_view bytes);

  /// Binds the values to the parameters 1, 2, … in this order.
  template <typename... Values>
  Statement& bind_all(const Values&... values) {
    int index = 0;
    (bind(++index, values), ...);
    return *this;
  }

  /// Runs up to the next row; false when there is none.
  bool step();
  /// Runs to the end, ignoring rows.
  void run();

  [[nodiscard]] std::int64_t integer(int column) const;
  /// Text or blob; empty for NULL.
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  /// How many columns a row has.
  [[nodiscard]] int columns() const;

 private:
  friend class Db;
  struct Slot;
  Statement(Db& db, Slot* slot) : db_(&db), slot_(slot) {}

  Db* db_;
  Slot* slot_;
};

struct DbOptions {
  enum class Mode {
    existing,   ///< read and write; the file must exist
    create,     ///< read and write; the file may be new
    read_only,  ///< queries only; the file must exist
    /// The same, for a file that nobody can write now: no other file is made or looked for.
    unchanging,
  };
  Mode mode = Mode::existing;
  std::int64_t busy_ms = 0;    ///< how long to wait for another process's transaction
  std::int64_t pages_max = 0;  ///< refuse to grow beyond this many pages; 0: no bound of ours
  /// If not 0, a file without this `PRAGMA application_id` is refused before anything is locked,
  /// recovered or written (`not_a_database`; `damaged` if it is one of ours that lost its end).
  std::int64_t application_id = 0;
};

/// One connection, hardened (defensive, no trusted schema, no double-quoted strings) and durable
/// (synchronous FULL). Not thread-safe: one per thread; never carried across fork.
class Db {
 public:
  /// Opens `path`. Throws StoreFailure, naming the file by its last part only.
  Db(const std::filesystem::path& path, const DbOptions& options);
  ~Db();
  Db(const Db&) = delete;
  Db& operator=(const Db&) = delete;

  /// Runs one or more statements without parameters.
  void execute(const std::string& sql);
  /// A statement from the cache, or a new one that stays in it.
  [[nodiscard]] Statement prepare(std::string_view sql);
  /// The first column of the first row; nullopt if there is no row.
  [[nodiscard]] std::optional<std::int64_t> query_integer(std::string_view sql);
  [[nodiscard]] std::optional<std::string> query_text(std::string_view sql);

  /// Switches to the write-ahead log, which stays so for the file. Waits for other connections.
  void use_write_ahead_log();
  /// Remembers the files that are open now (see FileWatch); in write-ahead mode only.
  void watch_files();
  /// Whether they are still in place; otherwise what would be written now would be lost. Requires
  /// watch_files().
  [[nodiscard]] FilesFound look_at_files();
  /// After `log_lost`: see FileWatch.
  [[nodiscard]] bool save_log();
  /// Closing will leave the files as they are, even if this is the last connection: nothing is
  /// copied from the log into the database and no log is removed. One that only reads does so where
  /// it has found a log, which may belong to another file.
  void leave_files_at_close();
  /// Copies the whole log into the file and empties it, unless others read meanwhile.
  void empty_log();
  /// What tells the write-ahead log that is in use from those before and after it, sixteen digits:
  /// it gets another whenever it is begun anew. Empty: there is no log, or nothing in it; nullopt:
  /// it cannot be read. After the first query. One small read, no lock.
  [[nodiscard]] std::optional<std::string> log_name() const;
  /// Absolute.
  [[nodiscard]] std::filesystem::path path() const;
  /// A page as the database's file holds it, whatever its log says of it; empty if the file is
  /// shorter. Throws StoreFailure.
  [[nodiscard]] std::string page_in_file(std::int64_t number);
  /// The file or its folder does not let this process write.
  [[nodiscard]] bool is_read_only() const;
  [[nodiscard]] bool in_transaction() const;
  /// Rows changed by the last statement.
  [[nodiscard]] std::int64_t changes() const;
  [[nodiscard]] std::int64_t last_insert_id() const;

  /// Copies the whole database as it is now into a new file at `target` (SQLite's online backup)
  /// and syncs it. Other connections may write meanwhile; this one must not be in a write
  /// transaction.
  void backup_to(const std::filesystem::path& target);

  /// What `PRAGMA quick_check` (or `integrity_check` if `thorough`) finds; empty: nothing is wrong.
  [[nodiscard]] std::string check(bool thorough);

 private:
  friend class Statement;
  friend class Replacement;
  void configure(const DbOptions& options);

  struct Connection;
  std::unique_ptr<Connection> connection_;
};

/// BEGIN IMMEDIATE … COMMIT; rolled back unless committed. The write lock is taken at the start: a
/// transaction that begins reading and writes later fails at once when another process wrote
/// between, whatever the busy timeout.
class Transaction {
 public:
  explicit Transaction(Db& db);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();
  /// Undoes everything before the scope ends.
  void roll_back() noexcept;

 private:
  Db& db_;
  bool open_ = true;
};

/// Puts what another database holds in the place of what one holds, in one transaction: whoever
/// reads it sees all of the one or all of the other, also after a crash. Both have pages of one
/// size. Nobody else writes to the target as long as this lives; readers are not held up.
class Replacement {
 public:
  /// Takes the write lock. `source` may be written to until `carry_out`. Throws StoreFailure
  /// (`busy`, …).
  Replacement(Db& target, Db& source);
  ~Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  /// Once. Throws StoreFailure (`disk_full`, …); the target is then as it was. O(size of source).
  void carry_out();

 private:
  void step(int pages, int expected);

  Db& target_;
  sqlite3_backup* backup_;
};

/// The same for several queries that must see one moment; takes no lock that anyone waits for.
class Snapshot {
 public:
  explicit Snapshot(Db& db);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  Db& db_;
};

}  // namespace phasegate::state
