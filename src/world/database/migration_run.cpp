#include <algorithm>
#include <array>

#include <sqlite3.h>

#include "base/text.h"
#include "world/database/migrations.h"

namespace phasegate::world::database {
namespace {

using base::Error;
using base::Result;

constexpr std::array<std::string_view, 12> kPragmas = {
    "user_version", "application_id", "defer_foreign_keys", "foreign_key_check",
    "table_info",   "table_xinfo",    "foreign_key_list",   "index_list",
    "index_info",   "table_list",     "data_version",       "page_size"};
constexpr std::string_view kNotes = "phasegate_migrations";

std::string lowered(const char* text) {
  return text == nullptr ? std::string() : base::lowered(text);
}

int authorize(void* context, int action, const char* first, const char* second, const char*,
              const char*) {
  auto& refused = *static_cast<std::string*>(context);
  const auto refuse = [&](const char* why) {
    if (refused.empty()) refused = why;
    return SQLITE_DENY;
  };
  if (action == SQLITE_READ || action == SQLITE_SELECT) return SQLITE_OK;
  if (lowered(first) == kNotes || lowered(second) == kNotes) {
    return refuse("it touches the list of applied migrations");
  }
  switch (action) {
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
      return refuse("it attaches or detaches a database");
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
      return refuse("it begins or ends a transaction; each migration is one already");
    case SQLITE_FUNCTION:
      if (lowered(second) != "load_extension" && lowered(second) != "fts3_tokenizer") break;
      return refuse("it loads code");
    case SQLITE_PRAGMA:
      if (std::find(kPragmas.begin(), kPragmas.end(), lowered(first)) != kPragmas.end()) break;
      return refuse("of PRAGMA it may use those of the schema and of versions only");
    default:
      break;
  }
  return SQLITE_OK;
}

/// What goes wrong while this stands is explained by it.
class Authorizer {
 public:
  explicit Authorizer(Connection& connection) : handle_(connection.handle()) {
    sqlite3_set_authorizer(handle_, authorize, &refused_);
  }
  ~Authorizer() { sqlite3_set_authorizer(handle_, nullptr, nullptr); }
  Authorizer(const Authorizer&) = delete;
  Authorizer& operator=(const Authorizer&) = delete;
  [[nodiscard]] const std::string& refused() const { return refused_; }

 private:
  sqlite3* handle_;
  std::string refused_;
};

int line_of(const std::string& sql, const char* at) {
  return 1 + static_cast<int>(std::count(sql.c_str(), at, '\n'));
}

}  // namespace

Result<void> run_migration(Connection& connection, const Migration& migration) {
  const Authorizer watch(connection);
  const auto failed = [&](const char* at) {
    const std::string why =
        watch.refused().empty() ? connection.failure().message : watch.refused();
    return Error{"migration_failed", base::in_quotes(migration.name) + ": " + why,
                 "nothing of this migration was kept; mend the file and repeat",
                 migration.name + ":" + std::to_string(line_of(migration.sql, at))};
  };
  const char* at = migration.sql.c_str();
  const char* const end = at + migration.sql.size();
  while (at < end) {
    // The line of the statement, not of the white space before it.
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) ++at;
    sqlite3_stmt* handle = nullptr;
    const char* tail = nullptr;
    const int code =
        sqlite3_prepare_v2(connection.handle(), at, static_cast<int>(end - at), &handle, &tail);
    Prepared statement(connection, handle);
    if (code != SQLITE_OK) return failed(at);
    for (bool more = handle != nullptr; more;) {
      const auto stepped = statement.step();
      if (!stepped) return failed(at);
      more = *stepped;
    }
    at = tail;
  }
  return {};
}

}  // namespace phasegate::world::database
