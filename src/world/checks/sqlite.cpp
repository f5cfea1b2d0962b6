#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include <sqlite3.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "world/checks/kinds.h"
#include "world/checks/opened_file.h"
#include "world/checks/outcome.h"
#include "world/checks/parameters.h"
#include "world/checks/query_values.h"
#include "world/checks/resting_database.h"
#include "world/checks/step_files.h"
#include "world/database/side_files.h"

namespace phasegate::world::checks {
namespace fs = std::filesystem;
using base::Error;
using base::Json;
using base::Result;
using gating::CheckResult;

namespace {

constexpr std::int64_t kQueryMs = 60'000;  ///< a query without a timeout
constexpr std::int64_t kBusyMs = 5'000;    ///< wait for another program's write, at most
constexpr int kStepsBetweenLooks = 100;    ///< few, since one step may make a large value
constexpr std::int64_t kLooksMax = 5'000'000;
constexpr std::int64_t kMemoryMax = std::int64_t{256} << 20U;  ///< of all of SQLite
constexpr std::int64_t kRowsMax = 1'000'000;
constexpr std::int64_t kRowsLookedAt = 2;  ///< one, and whether it is the only one
constexpr int kValueBytesMax = 16 << 20;
constexpr std::size_t kShownBytesMax = 1000;  ///< of one value

using Connection = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;
using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

/// Ends a query that takes too long.
struct Watch {
  std::chrono::steady_clock::time_point end;
  std::function<bool()> go_on;
  std::int64_t looks = 0;

  static int look(void* watch) {
    auto* self = static_cast<Watch*>(watch);
    const bool over = ++self->looks > kLooksMax || sqlite3_memory_used() > kMemoryMax ||
                      std::chrono::steady_clock::now() >= self->end;
    return over || (self->go_on && !self->go_on()) ? 1 : 0;
  }
};

/// Reading, and nothing else; whatever is not known is refused.
int allowed(void*, int action, const char* first, const char* second, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return second != nullptr && is_harmless_function(second) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA: {
      // Full-text tables ask these of themselves.
      const std::string_view pragma = first == nullptr ? "" : first;
      return second == nullptr && (pragma == "data_version" || pragma == "page_size") ? SQLITE_OK
                                                                                      : SQLITE_DENY;
    }
    case SQLITE_UPDATE:
      // What SQLite asks when it learns of a virtual table. No query can change this table.
      return first != nullptr && std::string_view(first) == "sqlite_master" ? SQLITE_OK
                                                                            : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

/// The database's own path: links resolved, below the root unless the definition wrote another.
Result<fs::path> real_path(const Ask& ask, const std::string& path) {
  const auto file = OpenedFile::open(ask.place.root, path);
  if (!file) {
    Error error = file.error();
    if (error.code == "not_found") error.hint = nearest_file_hint(ask.place.root, path);
    return error;
  }
  if (file->is_folder()) {
    return Error{"not_a_file", shown_path(path) + " is a folder", "name the database", path};
  }
  std::error_code gone;
  fs::path real = fs::canonical(ask.place.root / path, gone);
  if (gone) return Error{"not_found", shown_path(path) + " does not exist", "", path};
  if (path.starts_with('/')) return real;
  // Opened again without any link, so that what it has become since is seen.
  const auto below = real.lexically_relative(ask.place.root).string();
  if (const auto again = OpenedFile::open(ask.place.root, below); !again || again->is_folder()) {
    return Error{"unreadable", shown_path(path) + " changed while it was opened", "", path};
  }
  return real;
}

Error refused(sqlite3* connection, int code, const std::string& path, bool in_query) {
  const std::string name = shown_path(path);
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {"busy", name + " is locked by another program", "try again when it is done", path};
    case SQLITE_NOTADB:
      return {"not_a_database", name + " is no SQLite database", "", path};
    case SQLITE_CORRUPT:
      return {"damaged", name + " is damaged", "", path};
    case SQLITE_INTERRUPT:
      return {"timed_out", "the query took too long and was given up",
              "write one that looks at less", path};
    case SQLITE_AUTH:
      return {"not_allowed",
              "the query may only read: " + base::to_utf8(sqlite3_errmsg(connection)),
              "write one SELECT", path};
    case SQLITE_TOOBIG:
      return {"too_large", "the query or a value in it is too large", "", path};
    case SQLITE_NOMEM:
      return {"too_large", "the query needs too much memory", "", path};
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_IOERR:
    case SQLITE_PERM:
      return {"unreadable", name + " cannot be opened for reading by SQLite",
              "it may be in use, or its folder not writable for its log", path};
    default:
      break;
  }
  const std::string words =
      base::shortened(base::to_utf8(sqlite3_errmsg(connection)), kShownBytesMax);
  return {"query_failed", (in_query ? "the query cannot be carried out: " : name + ": ") + words,
          "", path};
}

void harden(sqlite3* connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  for (const int off : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
                        SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                        SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL}) {
    sqlite3_db_config(connection, off, 0, nullptr);
  }
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kValueBytesMax);
  sqlite3_limit(connection, SQLITE_LIMIT_SQL_LENGTH, int{base::limits::kCheckBytesMax});
  sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(connection, SQLITE_LIMIT_COLUMN, 200);
  sqlite3_limit(connection, SQLITE_LIMIT_COMPOUND_SELECT, 50);
  sqlite3_limit(connection, SQLITE_LIMIT_EXPR_DEPTH, 200);
  sqlite3_limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000);
  sqlite3_limit(connection, SQLITE_LIMIT_VDBE_OP, 100'000);
  sqlite3_limit(connection, SQLITE_LIMIT_WORKER_THREADS, 0);
}

Json column_json(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return static_cast<std::int64_t>(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT:
      return base::number_json(sqlite3_column_double(statement, column));
    case SQLITE_NULL:
      return nullptr;
    case SQLITE_BLOB:
      return "blob of " +
             base::counted(static_cast<std::size_t>(sqlite3_column_bytes(statement, column)),
                           "byte");
    default:
      break;
  }
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  if (bytes == nullptr) return nullptr;
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
  return base::shortened(base::to_utf8({bytes, size}), kShownBytesMax);
}

struct Found {
  std::int64_t rows = 0;  ///< as far as they were asked for
  Json first;             ///< the first row, or null

  /// The value itself, where it is the only one of the only row; else the first row.
  [[nodiscard]] const Json& value() const {
    return rows == 1 && first.size() == 1 ? first.front() : first;
  }
};

class Query {
 public:
  Query(const Ask& ask, std::string path) : ask_(ask), path_(std::move(path)) {}

  /// Counts rows up to `rows_max`.
  Result<Found> run(const std::string& sql, std::int64_t timeout_ms, std::int64_t rows_max) {
    const auto values = query_values(ask_);
    if (!values) return values.error();
    const auto real = real_path(ask_, path_);
    if (!real) return real.error();
    watch_.end = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
    watch_.go_on = ask_.scene.go_on;
    const auto resting = RestingDatabase::at(*real);
    if (auto done = open(*real, resting, timeout_ms); !done) return done.error();
    auto found = asked(sql, *values, rows_max);
    if (resting && !resting->still()) {
      return Error{"busy", shown_path(path_) + " was written to while it was read",
                   "try again when it is done", path_};
    }
    return found;
  }

 private:
  Result<void> open(const fs::path& real, const std::optional<RestingDatabase>& resting,
                    std::int64_t timeout_ms) {
    if (auto usual = usual_side_files(real, path_); !usual) return usual;
    sqlite3* opened = nullptr;
    // NOFOLLOW: what has become a link since is not followed.
    const int code = sqlite3_open_v2((resting ? resting->uri() : real.string()).c_str(), &opened,
                                     SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW |
                                         SQLITE_OPEN_PRIVATECACHE | (resting ? SQLITE_OPEN_URI : 0),
                                     nullptr);
    connection_.reset(opened);
    if (code != SQLITE_OK) return refused(opened, code, path_, false);
    harden(opened);
    // What is sorted stays where it is counted; a view in the database may make any amount of it.
    sqlite3_exec(opened, "PRAGMA temp_store=MEMORY", nullptr, nullptr, nullptr);
    sqlite3_busy_timeout(opened, static_cast<int>(std::min(kBusyMs, timeout_ms)));
    sqlite3_progress_handler(opened, kStepsBetweenLooks, Watch::look, &watch_);
    sqlite3_set_authorizer(opened, allowed, nullptr);
    return {};
  }

  Result<Found> asked(const std::string& sql, const QueryValues& values, std::int64_t rows_max) {
    auto statement = prepared(sql);
    if (!statement) return statement.error();
    if (auto done = bind(statement->get(), values); !done) return done.error();
    return rows(statement->get(), rows_max);
  }

  Result<Statement> prepared(const std::string& sql) {
    Statement only(nullptr, sqlite3_finalize);
    const char* rest = sql.c_str();
    const char* const end = rest + sql.size();
    while (rest < end) {
      sqlite3_stmt* next = nullptr;
      const int code = sqlite3_prepare_v3(connection_.get(), rest, static_cast<int>(end - rest), 0,
                                          &next, &rest);
      Statement owned(next, sqlite3_finalize);
      if (code != SQLITE_OK) return refused(connection_.get(), code, path_, true);
      if (next == nullptr) {
        // Blanks and comments; a NUL byte ends what SQLite reads, and hides the rest.
        if (rest < end && *rest == '\0') return not_one();
        continue;
      }
      if (only) return not_one();
      only = std::move(owned);
    }
    if (!only || sqlite3_stmt_readonly(only.get()) == 0 ||
        sqlite3_stmt_isexplain(only.get()) != 0 || sqlite3_column_count(only.get()) == 0) {
      return not_one();
    }
    return only;
  }

  static Error not_one() {
    return {"not_allowed", "the query is not one statement that reads", "write one SELECT", ""};
  }

  Result<void> bind(sqlite3_stmt* statement, const QueryValues& values) {
    std::vector<std::string> names;
    for (const auto& [name, value] : values) names.push_back(name);
    std::vector<std::string> used{"run", "arg"};
    for (int i = 1; i <= sqlite3_bind_parameter_count(statement); ++i) {
      const char* written = sqlite3_bind_parameter_name(statement, i);
      if (written == nullptr || *written == '?') {
        return Error{"invalid_check", "the query has a parameter without a name",
                     "write :name and give it in parameters", ""};
      }
      const std::string name(written + 1);
      const auto at = std::find(names.begin(), names.end(), name);
      if (at == names.end()) return unknown(name, names, "the query's parameter ");
      used.push_back(name);
      const QueryValue& value = values[static_cast<std::size_t>(at - names.begin())].second;
      int code = SQLITE_OK;
      if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        code = sqlite3_bind_int64(statement, i, *whole);
      } else if (const auto* number = std::get_if<double>(&value)) {
        code = sqlite3_bind_double(statement, i, *number);
      } else {
        const auto& text = std::get<std::string>(value);
        code = sqlite3_bind_text64(statement, i, text.data(), text.size(), SQLITE_TRANSIENT,
                                   SQLITE_UTF8);
      }
      if (code != SQLITE_OK) return refused(connection_.get(), code, path_, true);
    }
    for (const std::string& name : names) {
      if (std::find(used.begin(), used.end(), name) == used.end()) {
        return unknown(name, used, "the query does not have the parameter ");
      }
    }
    return {};
  }

  static Error unknown(const std::string& name, const std::vector<std::string>& known,
                       const std::string& words) {
    const auto near = base::nearest_name(name, known);
    return {"invalid_check",
            words + base::in_quotes(":" + name) +
                (words.starts_with("the query's") ? " is not given" : ""),
            near ? "did you mean " + base::in_quotes(":" + *near) + "?" : "", "parameters"};
  }

  Result<Found> rows(sqlite3_stmt* statement, std::int64_t rows_max) {
    Found found;
    while (found.rows < rows_max) {
      const int code = sqlite3_step(statement);
      if (code == SQLITE_DONE) return found;
      if (code != SQLITE_ROW) return refused(connection_.get(), code, path_, true);
      if (found.rows++ > 0) continue;
      found.first = Json::object();
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        const char* name = sqlite3_column_name(statement, i);
        found.first[base::to_utf8(name == nullptr ? "" : name)] = column_json(statement, i);
      }
    }
    return found;
  }

  const Ask& ask_;
  const std::string path_;
  Watch watch_;
  Connection connection_{nullptr, sqlite3_close_v2};
};

}  // namespace

CheckResult check_sqlite(const Ask& ask) {
  const Parameters parameters(ask);
  const auto path = parameters.path("db");
  if (!path) return unclear(ask, path.error().message, path.error().hint);
  const auto wanted = parameters.whole("rows");
  const bool none = parameters.text("expect") == "none";
  if (wanted && (*wanted < 0 || *wanted > kRowsMax)) {
    return unclear(ask, "rows must be at most " + std::to_string(kRowsMax));
  }
  const std::int64_t timeout = std::clamp<std::int64_t>(
      parameters.whole("timeout").value_or(kQueryMs), 1, base::limits::kCheckMsMax);
  const auto found = Query(ask, *path)
                         .run(parameters.text("query").value_or(""), timeout,
                              wanted ? *wanted + 1 : kRowsLookedAt);
  if (!found) return about(without_file(ask, found.error()), *path);

  std::string reason;
  if (wanted && found->rows != *wanted) {
    reason = found->rows > *wanted
                 ? "the query finds more than " + std::to_string(*wanted) +
                       " rows, wanted exactly so many"
                 : "the query finds " +
                       base::counted(static_cast<std::size_t>(found->rows), "row") + ", wanted " +
                       std::to_string(*wanted);
  } else if (none && found->rows > 0) {
    reason = "the query finds a row, wanted none";
  } else if (!none && !wanted && found->rows == 0) {
    reason = "the query finds no row, wanted one";
  }
  CheckResult result =
      reason.empty() ? passed(ask) : failed(ask, shown_path(*path) + ": " + reason);
  result.value = wanted ? std::to_string(found->rows) : base::dump(found->value());
  return about(std::move(result), *path);
}

}  // namespace phasegate::world::checks
