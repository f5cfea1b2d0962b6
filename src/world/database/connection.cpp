#include "world/database/connection.h"

#include <sqlite3.h>

#include "base/text.h"
#include "world/database/side_files.h"

namespace phasegate::world::database {
namespace {

constexpr int kSqlBytesMax = 4 << 20;

void set_option(sqlite3* handle, int option, int value) {
  sqlite3_db_config(handle, option, value, nullptr);
}

void harden(sqlite3* handle) {
  set_option(handle, SQLITE_DBCONFIG_DEFENSIVE, 1);
  set_option(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0);
  set_option(handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0);
  set_option(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0);
  set_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1);
  set_option(handle, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0);
  sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, kSqlBytesMax);
  sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
}

/// How long to wait, as what SQLite hands back to wait_for_lock.
void* to_context(std::int64_t busy_ms) {
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(busy_ms));
}

/// Looks every millisecond. SQLite's own handler waits ever longer, and may never find the moment
/// in which somebody who writes without a pause holds no lock.
int wait_for_lock(void* busy_ms, int times) {
  if (times >= static_cast<int>(reinterpret_cast<std::intptr_t>(busy_ms))) return 0;
  sqlite3_sleep(1);
  return 1;
}

int flags_of(Connection::Mode mode) {
  constexpr int kAlways = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW;
  switch (mode) {
    case Connection::Mode::read_only:
      return kAlways | SQLITE_OPEN_READONLY;
    case Connection::Mode::existing:
      return kAlways | SQLITE_OPEN_READWRITE;
    case Connection::Mode::create:
      return kAlways | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  }
  return kAlways | SQLITE_OPEN_READONLY;
}

int bind_one(sqlite3_stmt* statement, int at, const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return sqlite3_bind_int64(statement, at, *whole);
  }
  if (const auto* number = std::get_if<double>(&value)) {
    return sqlite3_bind_double(statement, at, *number);
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return sqlite3_bind_text64(statement, at, text->c_str(), text->size(), SQLITE_TRANSIENT,
                               SQLITE_UTF8);
  }
  if (const auto* blob = std::get_if<Blob>(&value)) {
    return sqlite3_bind_blob64(statement, at, blob->bytes.c_str(), blob->bytes.size(),
                               SQLITE_TRANSIENT);
  }
  return sqlite3_bind_null(statement, at);
}

/// The bytes of a text or blob; the pointer must be asked for before the length.
std::string bytes_of(sqlite3_stmt* statement, int column) {
  const void* bytes = sqlite3_column_blob(statement, column);
  const int length = sqlite3_column_bytes(statement, column);
  if (bytes == nullptr) return "";
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(length)};
}

Value value_of(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    case SQLITE_TEXT:
      return bytes_of(statement, column);
    case SQLITE_BLOB:
      return Blob{bytes_of(statement, column)};
    default:
      return std::monostate{};
  }
}

}  // namespace

base::Error describe(int code, std::string_view name, std::string_view detail) {
  const std::string file = base::in_quotes(name);
  const std::string because = detail.empty() ? "" : ": " + std::string(detail);
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {"busy", "the database " + file + " has been locked by another program for too long",
              "close what writes to it, then repeat", ""};
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return {"read_only", "the database " + file + " may not be written" + because, "", ""};
    case SQLITE_CANTOPEN:
      return {"unreadable",
              "the database " + file + " or a file beside it cannot be opened" + because, "", ""};
    case SQLITE_FULL:
      return {"disk_full", "there is no room to write " + file,
              "free some disk space and repeat; nothing of it was kept", ""};
    case SQLITE_IOERR:
      return {"io_error", "the disk failed while " + file + " was used" + because, "", ""};
    case SQLITE_CORRUPT:
      return {"damaged", "the database " + file + " is damaged" + because,
              "`phasegate db backups` lists its copies, `phasegate db restore` puts one back", ""};
    case SQLITE_NOTADB:
      return {"not_a_database", file + " is not a SQLite database", "", ""};
    case SQLITE_NOMEM:
      return {"no_memory", "there is not enough memory for " + file, "", ""};
    case SQLITE_INTERRUPT:
      return {"timeout", "the statement took too long and was given up", "ask for less", ""};
    default:
      return {"sql_error", std::string(detail.empty() ? sqlite3_errstr(code) : detail), "", ""};
  }
}

Prepared::~Prepared() {
  sqlite3_finalize(handle_);
}

base::Result<void> Prepared::bind(const std::vector<Value>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (bind_one(handle_, static_cast<int>(i) + 1, values[i]) != SQLITE_OK) {
      return connection_->failure();
    }
  }
  return {};
}

base::Result<bool> Prepared::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return connection_->failure();
}

Row Prepared::row() const {
  Row row;
  const int columns = sqlite3_column_count(handle_);
  for (int i = 0; i < columns; ++i) row.push_back(value_of(handle_, i));
  return row;
}

std::vector<std::string> Prepared::columns() const {
  std::vector<std::string> names;
  const int columns = sqlite3_column_count(handle_);
  for (int i = 0; i < columns; ++i) {
    const char* name = sqlite3_column_name(handle_, i);
    names.emplace_back(name == nullptr ? "" : name);
  }
  return names;
}

base::Result<Connection> Connection::open(const std::filesystem::path& file, std::string name,
                                          Mode mode, std::int64_t busy_ms) {
  if (auto usual = usual_side_files(file, name); !usual) return usual.error();
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags_of(mode), nullptr);
  Connection connection(handle, std::move(name));
  if (code != SQLITE_OK) return describe(code, connection.name_, "");
  sqlite3_busy_handler(handle, wait_for_lock, to_context(busy_ms));
  harden(handle);
  if (auto set = connection.run("PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON"); !set) {
    return std::move(set).error();
  }
  return connection;
}

Connection::~Connection() {
  sqlite3_close_v2(handle_);
}

base::Result<Prepared> Connection::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return failure();
  return Prepared(*this, statement);
}

base::Result<void> Connection::run(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return failure();
  return {};
}

base::Result<std::vector<Row>> Connection::rows(std::string_view sql,
                                                const std::vector<Value>& values) {
  auto statement = prepare(sql);
  if (!statement) return std::move(statement).error();
  if (auto bound = statement->bind(values); !bound) return std::move(bound).error();
  std::vector<Row> rows;
  while (true) {
    const auto more = statement->step();
    if (!more) return more.error();
    if (!*more) return rows;
    rows.push_back(statement->row());
  }
}

base::Result<std::int64_t> Connection::whole(std::string_view sql) {
  const auto found = rows(sql);
  if (!found) return found.error();
  if (found->empty() || found->front().empty()) return std::int64_t{0};
  const auto* number = std::get_if<std::int64_t>(&found->front().front());
  return number == nullptr ? std::int64_t{0} : *number;
}

base::Error Connection::failure() const {
  return describe(sqlite3_extended_errcode(handle_), name_, sqlite3_errmsg(handle_));
}

bool Connection::has_moved() const {
  int moved = 0;
  const int code = sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return code != SQLITE_OK || moved != 0;
}

base::Result<Transaction> Transaction::begin(Connection& connection, bool immediate) {
  if (auto begun = connection.run(immediate ? "BEGIN IMMEDIATE" : "BEGIN"); !begun) {
    return std::move(begun).error();
  }
  return Transaction(connection);
}

Transaction::~Transaction() {
  // A rollback that fails leaves nothing to be done: without a commit the next reader sees the
  // state before.
  if (connection_ == nullptr || sqlite3_get_autocommit(connection_->handle()) != 0) return;
  sqlite3_exec(connection_->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

base::Result<void> Transaction::commit() {
  auto done = connection_->run("COMMIT");
  if (done) connection_ = nullptr;
  return done;
}

std::string as_identifier(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    out += c;
    if (c == '"') out += c;
  }
  return out + "\"";
}

}  // namespace phasegate::world::database
