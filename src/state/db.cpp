#include "state/db.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include <sqlite3.h>

#include "base/limits.h"
#include "gating/engine/ports.h"
#include "state/db_busy.h"
#include "state/db_failure.h"
#include "state/db_file.h"
#include "state/db_log.h"

namespace phasegate::state {

struct Statement::Slot {
  sqlite3_stmt* handle = nullptr;
  bool lent = false;
  bool cached = true;

  Slot() = default;
  ~Slot() { sqlite3_finalize(handle); }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
};

struct Db::Connection {
  sqlite3* handle = nullptr;
  std::string file;  // its name without folder, for messages
  BusyWait busy;
  LogBound log{busy};
  std::optional<FileWatch> watch;
  std::map<std::string, std::unique_ptr<Statement::Slot>, std::less<>> cache;

  explicit Connection(std::int64_t busy_ms) : busy(busy_ms) {}
  ~Connection() {
    cache.clear();
    sqlite3_close_v2(handle);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void require(int code) const {
    if (code != SQLITE_OK) fail();
  }

  [[noreturn]] void fail() const {
    int code = sqlite3_extended_errcode(handle);
    // The index of the log is made with the first query, and SQLite calls any failure there the
    // disk's.
    if (code == SQLITE_IOERR_SHMSIZE) {
      const int why = sqlite3_system_errno(handle);
      if (why == ENOSPC || why == EDQUOT) code = SQLITE_FULL;
    }
    throw_sqlite(code, file, sqlite3_errmsg(handle));
  }
};

// ── Statement ────────────────────────────────────────────────────────────────────────────────────

Statement::Statement(Statement&& other) noexcept
    : db_(other.db_), slot_(std::exchange(other.slot_, nullptr)) {}

Statement::~Statement() {
  if (slot_ == nullptr) return;
  sqlite3_reset(slot_->handle);
  sqlite3_clear_bindings(slot_->handle);
  slot_->lent = false;
  if (!slot_->cached) delete slot_;
}

Statement& Statement::bind(int index, std::int64_t value) {
  db_->connection_->require(sqlite3_bind_int64(slot_->handle, index, value));
  return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
  // A null pointer would bind NULL, and an empty view may hold one.
  const char* bytes = text.data() == nullptr ? "" : text.data();
  db_->connection_->require(
      sqlite3_bind_text64(slot_->handle, index, bytes, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_null(int index) {
  db_->connection_->require(sqlite3_bind_null(slot_->handle, index));
  return *this;
}

Statement& Statement::bind_blob(int index, std::string_view bytes) {
  const char* data = bytes.data() == nullptr ? "" : bytes.data();
  db_->connection_->require(
      sqlite3_bind_blob64(slot_->handle, index, data, bytes.size(), SQLITE_STATIC));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(slot_->handle);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  db_->connection_->fail();
}

void Statement::run() {
  while (step()) {
  }
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(slot_->handle, column);
}

std::string Statement::text(int column) const {
  // The pointer must be asked for before the length: it may convert the value.
  const void* bytes = sqlite3_column_blob(slot_->handle, column);
  const int length = sqlite3_column_bytes(slot_->handle, column);
  if (bytes == nullptr) return "";
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(length)};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(slot_->handle, column) == SQLITE_NULL;
}

int Statement::columns() const {
  return sqlite3_column_count(slot_->handle);
}

// ── Db ───────────────────────────────────────────────────────────────────────────────────────────

namespace {

int open_flags(DbOptions::Mode mode) {
  // One connection belongs to one thread, so SQLite need not lock it.
  constexpr int kAlways = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  switch (mode) {
    case DbOptions::Mode::existing:
      return kAlways | SQLITE_OPEN_READWRITE;
    case DbOptions::Mode::create:
      return kAlways | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case DbOptions::Mode::read_only:
      // Opened for writing and then held to reading, because a connection that may not write
      // cannot tidy up the files beside the database when it closes.
      return kAlways | SQLITE_OPEN_READWRITE;
    case DbOptions::Mode::unchanging:
      return kAlways | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  }
  return kAlways | SQLITE_OPEN_READONLY;
}

/// What is given to SQLite: the path, or a URI that says that the file does not change.
std::string name_of(const std::filesystem::path& path, DbOptions::Mode mode) {
  const std::string absolute = std::filesystem::absolute(path).string();
  if (mode != DbOptions::Mode::unchanging) return absolute;
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char character : absolute) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte == '%' || byte == '?' || byte == '#') {
      uri += {'%', kDigits[byte >> 4U], kDigits[byte & 0x0FU]};
    } else {
      uri += character;
    }
  }
  return uri + "?immutable=1";
}

void set_option(sqlite3* handle, int option, int value) {
  sqlite3_db_config(handle, option, value, nullptr);
}

[[noreturn]] void throw_foreign(const std::string& file, const std::string& why) {
  base::Error error = describe_sqlite(SQLITE_NOTADB, file);
  error.message += why;
  throw gating::engine::StoreFailure(std::move(error));
}

[[noreturn]] void throw_damaged(const std::string& file, const std::string& why) {
  base::Error error = describe_sqlite(SQLITE_CORRUPT, file);
  error.message += why;
  throw gating::engine::StoreFailure(std::move(error));
}

void require_header(sqlite3* handle, const std::string& name, std::int64_t application_id) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  constexpr int kHeaderBytes = 100;
  constexpr std::size_t kApplicationIdAt = 68;
  sqlite3_file* file = file_behind(handle, SQLITE_FCNTL_FILE_POINTER);
  sqlite3_int64 size = 0;
  if (file == nullptr || file->pMethods->xFileSize(file, &size) != SQLITE_OK) {
    throw_sqlite(SQLITE_IOERR_FSTAT, name, "no file behind the connection");
  }
  if (size == 0) throw_damaged(name, ": it is empty");
  std::array<unsigned char, kHeaderBytes> bytes{};
  const int code = file->pMethods->xRead(file, bytes.data(), kHeaderBytes, 0);
  if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) throw_sqlite(code, name, "header");
  const auto compared = std::min(kMagic.size(), static_cast<std::size_t>(size));
  if (std::memcmp(bytes.data(), kMagic.data(), compared) != 0) {
    throw_foreign(name, ": it does not begin like one");
  }
  if (size < kHeaderBytes) throw_damaged(name, ": it ends within its header");
  std::uint32_t found = 0;
  for (std::size_t i = 0; i < 4; ++i) found = (found << 8U) | bytes[kApplicationIdAt + i];
  if (found != application_id) throw_foreign(name, ": it belongs to another program");
}

}  // namespace

Db::Db(const std::filesystem::path& path, const DbOptions& options)
    : connection_(std::make_unique<Connection>(options.busy_ms)) {
  connection_->file = path.filename().string();
  const std::string name = name_of(path, options.mode);
  const int code =
      sqlite3_open_v2(name.c_str(), &connection_->handle, open_flags(options.mode), nullptr);
  if (code != SQLITE_OK) throw_sqlite(code, connection_->file, "sqlite3_open_v2");
  if (options.application_id != 0) {
    require_header(connection_->handle, connection_->file, options.application_id);
  }
  configure(options);
}

void Db::configure(const DbOptions& options) {
  sqlite3* handle = connection_->handle;
  connection_->busy.attach(handle);
  connection_->log.attach(handle);
  set_option(handle, SQLITE_DBCONFIG_DEFENSIVE, 1);
  set_option(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0);
  set_option(handle, SQLITE_DBCONFIG_DQS_DML, 0);
  set_option(handle, SQLITE_DBCONFIG_DQS_DDL, 0);
  set_option(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0);
  // None of them is ours: one that somebody has put there would undo what is written, a count of
  // wrong secrets among it.
  set_option(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0);
  set_option(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0);
  set_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1);
  execute("PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON; PRAGMA journal_size_limit=" +
          std::to_string(base::limits::kStoreLogBytesKept));
  if (options.pages_max > 0) {
    execute("PRAGMA max_page_count=" + std::to_string(options.pages_max));
  }
  if (options.mode == DbOptions::Mode::read_only || options.mode == DbOptions::Mode::unchanging) {
    execute("PRAGMA query_only=ON");
    std::error_code none;
    const auto log = std::filesystem::file_size(path().string() + "-wal", none);
    if (!none && log > 0) leave_files_at_close();
  }
}

Db::~Db() = default;

void Db::execute(const std::string& sql) {
  connection_->require(sqlite3_exec(connection_->handle, sql.c_str(), nullptr, nullptr, nullptr));
}

Statement Db::prepare(std::string_view sql) {
  auto found = connection_->cache.find(sql);
  if (found != connection_->cache.end() && !found->second->lent) {
    found->second->lent = true;
    return {*this, found->second.get()};
  }
  auto slot = std::make_unique<Statement::Slot>();
  const int code = sqlite3_prepare_v3(connection_->handle, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &slot->handle, nullptr);
  // Our statements are fixed and fit our schema; where one does not, the schema is not ours.
  if (code == SQLITE_ERROR) {
    throw_damaged(connection_->file, std::string(": ") + sqlite3_errmsg(connection_->handle));
  }
  connection_->require(code);
  slot->lent = true;
  if (found == connection_->cache.end()) {
    found = connection_->cache.emplace(sql, std::move(slot)).first;
    return {*this, found->second.get()};
  }
  // The cached one is in use further up the stack; this one goes when it is given back.
  slot->cached = false;
  return {*this, slot.release()};
}

std::optional<std::int64_t> Db::query_integer(std::string_view sql) {
  Statement statement = prepare(sql);
  if (!statement.step()) return std::nullopt;
  return statement.integer(0);
}

std::optional<std::string> Db::query_text(std::string_view sql) {
  Statement statement = prepare(sql);
  if (!statement.step()) return std::nullopt;
  return statement.text(0);
}

void Db::use_write_ahead_log() {
  if (query_text("PRAGMA journal_mode") == "wal") return;
  if (query_text("PRAGMA journal_mode=WAL") != "wal") {
    throw_sqlite(SQLITE_IOERR_LOCK, connection_->file, "no write-ahead log");
  }
}

void Db::watch_files() {
  // The log is opened by the first query.
  static_cast<void>(query_integer("PRAGMA user_version"));
  connection_->watch.emplace(connection_->handle);
}

FilesFound Db::look_at_files() {
  return connection_->watch.value().look();
}

bool Db::save_log() {
  return connection_->watch.value().save_log();
}

void Db::leave_files_at_close() {
  set_option(connection_->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1);
}

std::optional<std::string> Db::log_name() const {
  return state::log_name(connection_->handle);
}

std::filesystem::path Db::path() const {
  return sqlite3_db_filename(connection_->handle, "main");
}

std::string Db::page_in_file(std::int64_t number) {
  std::string page;
  const int code = read_page_in_file(connection_->handle, number,
                                     query_integer("PRAGMA page_size").value_or(0), page);
  if (code != SQLITE_OK) throw_sqlite(code, connection_->file, "a page of the file");
  return page;
}

void Db::empty_log() {
  sqlite3_wal_checkpoint_v2(connection_->handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr,
                            nullptr);
}

bool Db::is_read_only() const {
  return sqlite3_db_readonly(connection_->handle, "main") == 1;
}

bool Db::in_transaction() const {
  return sqlite3_get_autocommit(connection_->handle) == 0;
}

std::int64_t Db::changes() const {
  return sqlite3_changes64(connection_->handle);
}

std::int64_t Db::last_insert_id() const {
  return sqlite3_last_insert_rowid(connection_->handle);
}

void Db::backup_to(const std::filesystem::path& target) {
  Db copy(target, {.mode = DbOptions::Mode::create});
  Replacement(copy, *this).carry_out();
}

std::string Db::check(bool thorough) {
  Statement statement = prepare(thorough ? "PRAGMA integrity_check(10)" : "PRAGMA quick_check(10)");
  std::string problems;
  while (statement.step()) {
    const std::string line = statement.text(0);
    if (line == "ok") continue;
    if (!problems.empty()) problems += "; ";
    problems += line;
  }
  return problems;
}

// ── Replacement ──────────────────────────────────────────────────────────────────────────────────

Replacement::Replacement(Db& target, Db& source) : target_(target) {
  // A statement that is not used needs no reset, but the target must not read meanwhile.
  target.connection_->cache.clear();
  backup_ =
      sqlite3_backup_init(target.connection_->handle, "main", source.connection_->handle, "main");
  if (backup_ == nullptr) target.connection_->fail();
  try {
    // Copies nothing yet, but locks the target.
    step(0, SQLITE_OK);
  } catch (...) {
    sqlite3_backup_finish(backup_);
    throw;
  }
}

Replacement::~Replacement() {
  // Undoes what is not carried out.
  sqlite3_backup_finish(backup_);
}

void Replacement::step(int pages, int expected) {
  const int code = sqlite3_backup_step(backup_, pages);
  if (code == expected) return;
  throw_sqlite(code, target_.connection_->file, sqlite3_errstr(code));
}

void Replacement::carry_out() {
  step(-1, SQLITE_DONE);
  const int code = sqlite3_backup_finish(std::exchange(backup_, nullptr));
  if (code == SQLITE_OK) return;
  throw_sqlite(code, target_.connection_->file, sqlite3_errmsg(target_.connection_->handle));
}

// ── Transactions ─────────────────────────────────────────────────────────────────────────────────

Transaction::Transaction(Db& db) : db_(db) {
  db_.prepare("BEGIN IMMEDIATE").run();
}

Transaction::~Transaction() {
  roll_back();
}

void Transaction::roll_back() noexcept {
  // A full disk may have rolled back already; and a rollback that fails leaves nothing to be done:
  // the log holds no commit, so the next reader sees the state before.
  if (!std::exchange(open_, false) || !db_.in_transaction()) return;
  try {
    db_.execute("ROLLBACK");
  } catch (const std::exception&) {
    return;
  }
}

void Transaction::commit() {
  db_.prepare("COMMIT").run();
  open_ = false;
}

Snapshot::Snapshot(Db& db) : db_(db) {
  db_.prepare("BEGIN").run();
}

Snapshot::~Snapshot() {
  if (!db_.in_transaction()) return;
  try {
    db_.prepare("ROLLBACK").run();
  } catch (const std::exception&) {
    return;
  }
}

}  // namespace phasegate::state
