#include "world/database/guard_rules.h"

#include <algorithm>
#include <array>

#include <sqlite3.h>

#include "base/text.h"

namespace phasegate::world::database {
namespace {

using base::Error;
using base::Result;

/// What may be asked of a database; none changes anything, or names a place on the machine.
constexpr std::array<std::string_view, 12> kPragmas = {
    "table_info",      "table_xinfo", "table_list",       "index_list",
    "index_info",      "index_xinfo", "foreign_key_list", "foreign_key_check",
    "integrity_check", "quick_check", "collation_list",   "compile_options"};
/// The same, as long as no value is given. Full-text tables ask for the last two by themselves.
constexpr std::array<std::string_view, 9> kPragmasWithoutValue = {
    "user_version", "schema_version", "application_id", "page_count",  "encoding",
    "journal_mode", "freelist_count", "page_size",      "data_version"};

constexpr std::string_view kPragmaTable = "pragma_";
constexpr std::string_view kPragmaRefused =
    "Of PRAGMA only what asks about the schema is run here.";

template <std::size_t N>
bool has(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view text_of(const char* text) {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

int refuse(Effects& effects, std::string_view why) {
  if (effects.refused.empty()) effects.refused = why;
  return SQLITE_DENY;
}

/// SQLite reports the declaration of a virtual table as if the table of the schema were written;
/// it does not let a statement write there.
bool is_schema_table(std::string_view table) {
  return table == "sqlite_master" || table == "sqlite_temp_master" || table == "sqlite_schema";
}

int note_write(Effects& effects, std::set<std::string>& into, std::string_view table,
               const char* trigger) {
  if (is_schema_table(table)) return SQLITE_OK;
  if (table == "phasegate_migrations") {
    return refuse(effects, "The list of applied migrations is written by migrations only.");
  }
  into.emplace(table);
  if (trigger != nullptr) effects.triggers.emplace(trigger);
  return SQLITE_OK;
}

int authorize(void* context, int action, const char* first, const char* second, const char*,
              const char* trigger) {
  auto& effects = *static_cast<Effects*>(context);
  const std::string name = base::lowered(text_of(action == SQLITE_FUNCTION ? second : first));
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_READ:
      if (!name.starts_with(kPragmaTable)) return SQLITE_OK;
      if (has(kPragmas, std::string_view(name).substr(kPragmaTable.size()))) return SQLITE_OK;
      return refuse(effects, kPragmaRefused);
    case SQLITE_FUNCTION:
      if (name != "load_extension" && name != "fts3_tokenizer") return SQLITE_OK;
      return refuse(effects, "Functions that load code are blocked.");
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
      return note_write(effects, effects.written, text_of(first), trigger);
    case SQLITE_DELETE:
      return note_write(effects, effects.deleted_from, text_of(first), trigger);
    case SQLITE_PRAGMA:
      if (has(kPragmas, name) || (second == nullptr && has(kPragmasWithoutValue, name))) {
        return SQLITE_OK;
      }
      return refuse(effects, kPragmaRefused);
    default:
      return refuse(effects, "The statement does more than read and write rows.");
  }
}

/// Takes the authorizer away again: what virtual tables do inside when they are used is theirs.
class Authorizer {
 public:
  Authorizer(Connection& connection, Effects& effects) : handle_(connection.handle()) {
    sqlite3_set_authorizer(handle_, authorize, &effects);
  }
  ~Authorizer() { sqlite3_set_authorizer(handle_, nullptr, nullptr); }
  Authorizer(const Authorizer&) = delete;
  Authorizer& operator=(const Authorizer&) = delete;

 private:
  sqlite3* handle_;
};

/// INSERT OR ABORT and the like: what the statement says goes before what tables and triggers say.
bool says_how_to_resolve(const SqlText& text) {
  for (std::size_t i = 0; i + 2 < text.tokens.size(); ++i) {
    if (text.tokens[i].depth != 0 || !(text.is(i, "INSERT") || text.is(i, "UPDATE"))) continue;
    if (!text.is(i + 1, "OR")) return false;
    return text.is(i + 2, "ABORT") || text.is(i + 2, "FAIL") || text.is(i + 2, "IGNORE") ||
           text.is(i + 2, "ROLLBACK");
  }
  return false;
}

/// How often a table is named; more than once may be a command to a virtual table.
std::size_t times_named(const SqlText& text, const std::string& table) {
  const std::string wanted = base::lowered(table);
  return static_cast<std::size_t>(
      std::count_if(text.tokens.begin(), text.tokens.end(), [&](const Token& token) {
        std::string name = base::lowered(token.text);
        if (token.kind == Token::Kind::quoted || token.kind == Token::Kind::literal) {
          name = name.size() < 2 ? name : name.substr(1, name.size() - 2);
        }
        return name == wanted;
      }));
}

Result<std::string> sql_of(Connection& connection, const std::string& name) {
  const auto rows =
      connection.rows("SELECT coalesce(sql, '') FROM sqlite_master WHERE name = ?", {name});
  if (!rows) return rows.error();
  const auto* sql = rows->empty() ? nullptr : std::get_if<std::string>(&rows->front().front());
  return sql == nullptr ? "" : *sql;
}

}  // namespace

Result<Compiled> compile(Connection& connection, const SqlText& text) {
  Effects effects;
  sqlite3_stmt* handle = nullptr;
  const char* tail = nullptr;
  int code = SQLITE_OK;
  {
    const Authorizer watch(connection, effects);
    code = sqlite3_prepare_v2(connection.handle(), text.sql.data(),
                              static_cast<int>(text.sql.size()), &handle, &tail);
  }
  Prepared statement(connection, handle);
  if (!effects.refused.empty()) return Error{"blocked", effects.refused, "", ""};
  if (code != SQLITE_OK) {
    Error error = connection.failure();
    if (error.code == "sql_error") error.code = "invalid_sql";
    return error;
  }
  const auto rest = cut(text.sql.substr(static_cast<std::size_t>(tail - text.sql.data())));
  if (handle == nullptr || rest) {
    return Error{"invalid_sql", "there is not exactly one statement", "give one at a time", ""};
  }
  return Compiled{std::move(statement), std::move(effects)};
}

Result<void> look_at_schema(Connection& connection, const SqlText& text, Effects& effects) {
  std::set<std::string> names = effects.written;
  names.insert(effects.triggers.begin(), effects.triggers.end());
  const bool resolves = says_how_to_resolve(text);
  for (const std::string& name : names) {
    const auto sql = sql_of(connection, name);
    if (!sql) return sql.error();
    const auto tokens = tokens_of(*sql);
    if (!tokens) return tokens.error();
    if (!resolves && may_replace(*tokens)) {
      return Error{
          "blocked",
          "REPLACE blocked: " + base::in_quotes(name) + " resolves conflicts by deleting rows.",
          "write INSERT OR ABORT … or UPDATE OR ABORT …, and delete rows first", ""};
    }
    const bool is_virtual = tokens->size() > 1 && (*tokens)[1].is("VIRTUAL");
    if (is_virtual && times_named(text, name) > 1) effects.deleted_from.insert(name);
  }
  return {};
}

}  // namespace phasegate::world::database
