#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "world/database/connection.h"
#include "world/database/sql_text.h"

/// What a guarded statement may do (003-62 … 003-67). Its words decide first, so that the answer
/// says what was meant; what SQLite compiles it to decides last.
namespace phasegate::world::database {

inline constexpr std::string_view kDropBlocked = "DROP TABLE blocked. Use migrations system.";
inline constexpr std::string_view kDeletionBlocked = "Database deletion blocked.";
inline constexpr std::string_view kTruncateBlocked =
    "TRUNCATE blocked. Use explicit DELETE with confirmation.";
inline constexpr std::string_view kTokenWanted =
    "DELETE requires confirmation token from db.getDeleteConfirmation()";

enum class StatementKind { query, change };

/// What a statement's words say it is. Errors (`blocked`): whatever is neither a query nor an
/// INSERT, UPDATE or DELETE of rows, DELETE without WHERE, and REPLACE, which deletes rows that no
/// DELETE names. O(tokens).
[[nodiscard]] base::Result<StatementKind> kind_of(const SqlText& text);

/// What a compiled statement does, its triggers and foreign keys included.
struct Effects {
  std::set<std::string> written;       ///< tables that rows are inserted into or updated in
  std::set<std::string> deleted_from;  ///< tables that it may delete rows from
  std::set<std::string> triggers;
  std::string refused;  ///< why it may not be run; empty: it may
};

/// Compiles under SQLite's authorizer. Errors: `blocked`, `invalid_sql` with SQLite's words,
/// those of describe().
struct Compiled {
  Prepared statement;
  Effects effects;
};
[[nodiscard]] base::Result<Compiled> compile(Connection& connection, const SqlText& text);

/// Refuses (`blocked`) what would resolve conflicts by deleting rows because a table or trigger
/// says so, and counts commands to virtual tables among what deletes. Within the transaction of
/// compile().
[[nodiscard]] base::Result<void> look_at_schema(Connection& connection, const SqlText& text,
                                                Effects& effects);

}  // namespace phasegate::world::database
