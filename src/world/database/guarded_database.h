#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "world/database/connection.h"
#include "world/database/delete_token.h"
#include "world/database/place.h"

namespace phasegate::world::database {

/// Rows as they were found, at most 10,000 and 8 MiB of them.
struct Rows {
  std::vector<std::string> columns;
  std::vector<Row> rows;
  bool cut = false;  ///< there are more
};

/// What a statement did.
struct Change {
  std::int64_t changed = 0;  ///< rows that it inserted, updated or deleted itself
  std::int64_t deleted = 0;  ///< rows that are gone, by triggers and foreign keys, too
  Rows returned;             ///< of RETURNING
};

/// What a person is to agree to, and the token that says so.
struct Confirmation {
  struct Table {
    std::string name;
    std::int64_t before = 0;
    std::int64_t after = 0;
  };
  std::string token;
  std::int64_t expires_ms = 0;
  Loss loss;
  std::vector<Table> tables;
};

/// A database of the project behind a rail (003-62 … 003-68): one statement at a time, each in a
/// transaction of its own. Reading is free, rows may be inserted and updated, whatever deletes rows
/// needs a token, everything else is refused. It holds for those who use it; whoever opens the file
/// itself goes past it.
///
/// Errors of all: `invalid_sql`, `blocked`, `invalid_argument` for another number of values than
/// the statement has parameters, `timeout` after a minute, and those of describe(). Nothing was
/// changed then.
class GuardedDatabase {
 public:
  /// Errors: those of find_database(); `not_found` if it is not there.
  [[nodiscard]] static base::Result<GuardedDatabase> open(const std::filesystem::path& root,
                                                          std::string_view path, TokenDesk desk);

  /// Runs a query. Errors also: `changes` if it is none.
  [[nodiscard]] base::Result<Rows> query(std::string_view sql, const std::vector<Value>& values);
  /// Runs a statement that changes rows. Errors also: `confirmation_needed` (003-65),
  /// `invalid_token`, `token_expired`, `token_used`, `rows_changed` if it would not delete what was
  /// confirmed any more (003-66); `is_query`.
  [[nodiscard]] base::Result<Change> execute(std::string_view sql, const std::vector<Value>& values,
                                             std::string_view token);
  /// Tries a statement that deletes rows, undoes it, and gives a token for it. To be called on a
  /// person's word only. Errors also: `needs_no_token`, `is_query`.
  [[nodiscard]] base::Result<Confirmation> confirm(std::string_view sql,
                                                   const std::vector<Value>& values);

 private:
  GuardedDatabase(Place place, Connection connection, TokenDesk desk)
      : place_(std::move(place)), connection_(std::move(connection)), desk_(std::move(desk)) {}

  Place place_;
  Connection connection_;
  TokenDesk desk_;
};

}  // namespace phasegate::world::database
