#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

/// Protection of a project's databases (003-60 … 003-69): copies, guarded statements, migrations.
/// docs/decisions/0024-database-protection.md says why it is as it is.
namespace phasegate::world::database {

/// Bytes that are no text.
struct Blob {
  std::string bytes;
  friend bool operator==(const Blob&, const Blob&) = default;
};

/// What a column or a parameter holds; monostate is NULL.
using Value = std::variant<std::monostate, std::int64_t, double, std::string, Blob>;
using Row = std::vector<Value>;

/// What a result code of SQLite means for a reader. Codes: `busy`, `read_only`, `disk_full`,
/// `io_error`, `damaged`, `not_a_database`, else `sql_error` with SQLite's own `detail`. `name` is
/// how the project calls the file.
[[nodiscard]] base::Error describe(int code, std::string_view name, std::string_view detail);

class Connection;

/// A compiled statement.
class Prepared {
 public:
  Prepared(Connection& connection, sqlite3_stmt* handle)
      : connection_(&connection), handle_(handle) {}
  Prepared(Prepared&& other) noexcept
      : connection_(other.connection_), handle_(std::exchange(other.handle_, nullptr)) {}
  Prepared& operator=(Prepared&&) = delete;
  ~Prepared();

  [[nodiscard]] sqlite3_stmt* handle() const { return handle_; }
  /// Binds the parameters from the first on. Errors: SQLite's.
  [[nodiscard]] base::Result<void> bind(const std::vector<Value>& values);
  /// True: there is a row.
  [[nodiscard]] base::Result<bool> step();
  /// The row that there is. O(its bytes).
  [[nodiscard]] Row row() const;
  [[nodiscard]] std::vector<std::string> columns() const;

 private:
  Connection* connection_;
  sqlite3_stmt* handle_;
};

/// One connection to a database of the project, hardened: no schema that runs functions of its own
/// choice, no writing of the schema's table, no extensions, nothing attached; foreign keys are
/// enforced and commits are synced. Never follows links. Not thread-safe.
class Connection {
 public:
  enum class Mode {
    read_only,
    existing,
    create,  ///< made if it is not there
  };

  /// `file` is canonical; `name` is how messages call it. Errors: see describe().
  [[nodiscard]] static base::Result<Connection> open(const std::filesystem::path& file,
                                                     std::string name, Mode mode,
                                                     std::int64_t busy_ms);
  Connection(Connection&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), name_(std::move(other.name_)) {}
  Connection& operator=(Connection&&) = delete;
  ~Connection();

  [[nodiscard]] sqlite3* handle() const { return handle_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Compiles one of our own statements, or the first one of a text.
  [[nodiscard]] base::Result<Prepared> prepare(std::string_view sql);
  /// Runs one or more statements without parameters.
  [[nodiscard]] base::Result<void> run(const std::string& sql);
  /// All rows of a statement of ours.
  [[nodiscard]] base::Result<std::vector<Row>> rows(std::string_view sql,
                                                    const std::vector<Value>& values = {});
  /// The first column of the first row; 0 if there is none or it is no number.
  [[nodiscard]] base::Result<std::int64_t> whole(std::string_view sql);
  /// What the last call that failed failed of.
  [[nodiscard]] base::Error failure() const;
  /// The file behind the connection no longer has the name by which it was opened.
  [[nodiscard]] bool has_moved() const;

 private:
  Connection(sqlite3* handle, std::string name) : handle_(handle), name_(std::move(name)) {}

  sqlite3* handle_;
  std::string name_;
};

/// BEGIN … COMMIT; rolled back unless committed.
class Transaction {
 public:
  /// `immediate`: takes the write lock at once.
  [[nodiscard]] static base::Result<Transaction> begin(Connection& connection, bool immediate);
  Transaction(Transaction&& other) noexcept
      : connection_(std::exchange(other.connection_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  [[nodiscard]] base::Result<void> commit();

 private:
  explicit Transaction(Connection& connection) : connection_(&connection) {}

  Connection* connection_;
};

/// A name as an identifier of SQL, quoted.
[[nodiscard]] std::string as_identifier(std::string_view name);

}  // namespace phasegate::world::database
