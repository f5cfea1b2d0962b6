#include "world/database/guarded_database.h"

#include <chrono>

#include <sqlite3.h>

#include "base/limits.h"
#include "base/text.h"
#include "world/database/guard_rules.h"

namespace phasegate::world::database {
namespace {

using base::Error;
using base::Result;

constexpr std::size_t kRowsMax = 10'000;
constexpr std::size_t kRowBytesMax = 8U << 20U;
constexpr std::chrono::seconds kTimeMax{60};
constexpr int kStepsBetweenLooks = 10'000;

/// Ends a statement that takes too long.
class TimeLimit {
 public:
  explicit TimeLimit(Connection& connection)
      : handle_(connection.handle()), deadline_(std::chrono::steady_clock::now() + kTimeMax) {
    sqlite3_progress_handler(handle_, kStepsBetweenLooks, is_over, this);
  }
  ~TimeLimit() { sqlite3_progress_handler(handle_, 0, nullptr, nullptr); }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  static int is_over(void* self) {
    return std::chrono::steady_clock::now() > static_cast<TimeLimit*>(self)->deadline_ ? 1 : 0;
  }

  sqlite3* handle_;
  std::chrono::steady_clock::time_point deadline_;
};

std::size_t size_of(const Row& row) {
  std::size_t size = sizeof(Row);
  for (const Value& value : row) {
    size += sizeof(Value);
    if (const auto* text = std::get_if<std::string>(&value)) size += text->size();
    if (const auto* blob = std::get_if<Blob>(&value)) size += blob->bytes.size();
  }
  return size;
}

/// Runs to the end (`whole`), or until enough rows are there.
Result<Rows> run(Prepared& statement, bool whole) {
  Rows rows;
  rows.columns = statement.columns();
  std::size_t bytes = 0;
  while (true) {
    const auto more = statement.step();
    if (!more) return more.error();
    if (!*more) return rows;
    if (rows.cut) continue;
    Row row = statement.row();
    bytes += size_of(row);
    if (rows.rows.size() < kRowsMax && bytes <= kRowBytesMax) {
      rows.rows.push_back(std::move(row));
      continue;
    }
    rows.cut = true;
    if (!whole) return rows;
  }
}

Result<void> bind(Prepared& statement, const std::vector<Value>& values) {
  const int wanted = sqlite3_bind_parameter_count(statement.handle());
  if (std::cmp_not_equal(wanted, values.size())) {
    return Error{"invalid_argument",
                 "the statement has " +
                     base::counted(static_cast<std::size_t>(wanted), "parameter") + ", given " +
                     (values.size() == 1 ? "is " : "are ") + base::counted(values.size(), "value"),
                 "give one value for each `?`, in their order", "values"};
  }
  return statement.bind(values);
}

/// Compiled within a transaction that is already open.
Result<Compiled> compile_change(Connection& connection, const SqlText& text,
                                const std::vector<Value>& values) {
  auto compiled = compile(connection, text);
  if (!compiled) return compiled;
  if (sqlite3_stmt_readonly(compiled->statement.handle()) != 0) {
    return Error{"is_query", "the statement changes nothing", "use `phasegate db query`", ""};
  }
  if (auto seen = look_at_schema(connection, text, compiled->effects); !seen) {
    return std::move(seen).error();
  }
  if (auto bound = bind(compiled->statement, values); !bound) return std::move(bound).error();
  return compiled;
}

/// A statement that was run, and what is gone by it.
struct Outcome {
  Rows returned;
  std::int64_t changed = 0;
  Loss loss;
  std::vector<Confirmation::Table> tables;
};

Result<Outcome> run_counting(Connection& connection, Compiled& compiled) {
  Outcome outcome;
  const auto count = [&](const std::string& table) {
    return connection.whole("SELECT count(*) FROM " + as_identifier(table));
  };
  for (const std::string& table : compiled.effects.deleted_from) {
    const auto before = count(table);
    if (!before) return before.error();
    outcome.tables.push_back({table, *before, 0});
  }
  const std::int64_t changes = sqlite3_total_changes64(connection.handle());
  auto returned = run(compiled.statement, true);
  if (!returned) return std::move(returned).error();
  outcome.returned = *std::move(returned);
  outcome.changed = sqlite3_changes64(connection.handle());
  outcome.loss.changes = sqlite3_total_changes64(connection.handle()) - changes;
  for (Confirmation::Table& table : outcome.tables) {
    const auto after = count(table.name);
    if (!after) return after.error();
    table.after = *after;
    if (table.after < table.before) outcome.loss.rows += table.before - table.after;
  }
  return outcome;
}

/// The words of a statement that is to change rows.
Result<SqlText> change_text(std::string_view sql) {
  auto text = cut(sql);
  if (!text) return text;
  const auto kind = kind_of(*text);
  if (!kind) return kind.error();
  if (*kind == StatementKind::change) return text;
  return Error{"is_query", "the statement is a query", "use `phasegate db query`", ""};
}

}  // namespace

Result<GuardedDatabase> GuardedDatabase::open(const std::filesystem::path& root,
                                              std::string_view path, TokenDesk desk) {
  auto place = find_database(root, path);
  if (!place) return std::move(place).error();
  if (!place->there) {
    return Error{"not_found", "there is no database " + base::in_quotes(place->path),
                 "correct the path; a new one is made by `phasegate db migrate`", place->path};
  }
  auto connection = open_at(*place, Connection::Mode::existing, base::limits::kStoreBusyMs);
  if (!connection) return std::move(connection).error();
  // A name in double quotes that is no column would be taken for a text: `WHERE "idd" = "idd"`.
  sqlite3_db_config(connection->handle(), SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  return GuardedDatabase(std::move(place).value(), std::move(connection).value(), std::move(desk));
}

Result<Rows> GuardedDatabase::query(std::string_view sql, const std::vector<Value>& values) {
  const auto text = cut(sql);
  if (!text) return text.error();
  const auto kind = kind_of(*text);
  if (!kind) return kind.error();
  const Error changes{"changes", "the statement changes the database", "use `phasegate db exec`",
                      ""};
  if (*kind != StatementKind::query) return changes;
  if (auto set = connection_.run("PRAGMA query_only=ON"); !set) return std::move(set).error();
  auto snapshot = Transaction::begin(connection_, false);
  if (!snapshot) return std::move(snapshot).error();
  auto compiled = compile(connection_, *text);
  if (!compiled) return std::move(compiled).error();
  const bool explains = sqlite3_stmt_isexplain(compiled->statement.handle()) != 0;
  if (!explains && sqlite3_stmt_readonly(compiled->statement.handle()) == 0) return changes;
  if (auto bound = bind(compiled->statement, values); !bound) return std::move(bound).error();
  const TimeLimit limit(connection_);
  return run(compiled->statement, false);
}

Result<Change> GuardedDatabase::execute(std::string_view sql, const std::vector<Value>& values,
                                        std::string_view token) {
  const auto text = change_text(sql);
  if (!text) return text.error();
  if (auto set = connection_.run("PRAGMA query_only=OFF"); !set) return std::move(set).error();
  auto transaction = Transaction::begin(connection_, true);
  if (!transaction) return std::move(transaction).error();
  const TimeLimit limit(connection_);
  Result<Outcome> outcome = Outcome();
  {
    auto compiled = compile_change(connection_, *text, values);
    if (!compiled) return std::move(compiled).error();
    const bool deletes = !compiled->effects.deleted_from.empty();
    if (deletes && token.empty()) {
      return Error{"confirmation_needed", std::string(kTokenWanted),
                   "a person gets the token on a terminal: `phasegate db confirm`", ""};
    }
    Result<DeleteToken> read = DeleteToken();
    if (deletes) read = read_token(desk_, {place_, *text, values}, token);
    if (!read) return std::move(read).error();
    outcome = run_counting(connection_, *compiled);
    if (!outcome) return std::move(outcome).error();
    if (deletes && outcome->loss != read->loss) {
      return Error{"rows_changed",
                   "confirmed was the deletion of " +
                       base::counted(static_cast<std::size_t>(read->loss.rows), "row") +
                       "; now it would be " + std::to_string(outcome->loss.rows),
                   "nothing was deleted; have the statement confirmed again", ""};
    }
    if (deletes && !desk_.use_once("db-delete:" + read->nonce, read->expires_ms)) {
      return Error{"token_used", "the token has been used",
                   "nothing was deleted; have the statement confirmed again", ""};
    }
  }
  if (auto kept = transaction->commit(); !kept) return std::move(kept).error();
  return Change{outcome->changed, outcome->loss.rows, std::move(outcome->returned)};
}

Result<Confirmation> GuardedDatabase::confirm(std::string_view sql,
                                              const std::vector<Value>& values) {
  const auto text = change_text(sql);
  if (!text) return text.error();
  if (auto set = connection_.run("PRAGMA query_only=OFF"); !set) return std::move(set).error();
  const auto transaction = Transaction::begin(connection_, true);
  if (!transaction) return transaction.error();
  const TimeLimit limit(connection_);
  auto compiled = compile_change(connection_, *text, values);
  if (!compiled) return std::move(compiled).error();
  if (compiled->effects.deleted_from.empty()) {
    return Error{"needs_no_token", "the statement deletes no rows",
                 "`phasegate db exec` runs it without a token", ""};
  }
  auto outcome = run_counting(connection_, *compiled);
  if (!outcome) return std::move(outcome).error();
  Confirmation confirmation;
  confirmation.loss = outcome->loss;
  confirmation.tables = std::move(outcome->tables);
  confirmation.expires_ms = desk_.clock.now().ms + TokenDesk::kLifeMs;
  confirmation.token = make_token(desk_, {place_, *text, values}, outcome->loss);
  return confirmation;
}

}  // namespace phasegate::world::database
