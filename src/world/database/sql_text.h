#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace phasegate::world::database {

/// A piece of SQL as SQLite cuts it, without white space and comments.
struct Token {
  enum class Kind { word, quoted, literal, variable, sign };
  Kind kind = Kind::sign;
  std::string_view text;
  int depth = 0;  ///< of parentheses around it

  /// A keyword, in any case; never what is quoted.
  [[nodiscard]] bool is(std::string_view keyword) const;
};

/// A statement that was cut.
struct SqlText {
  std::string_view sql;
  std::vector<Token> tokens;  ///< without a semicolon at the end

  /// The n-th token is this keyword.
  [[nodiscard]] bool is(std::size_t n, std::string_view keyword) const;
  /// The same for equal statements, however they are laid out and commented.
  [[nodiscard]] std::string digest() const;
};

/// The tokens of any SQL. Errors (`invalid_sql`): an unfinished literal or name, and parameters
/// with an argument in parentheses, within which SQLite looks for no tokens. O(size).
[[nodiscard]] base::Result<std::vector<Token>> tokens_of(std::string_view sql);

/// Cuts one statement. Errors (`invalid_sql`): nothing in it, several statements, NUL bytes, not
/// UTF-8, longer than 1 MiB, and those of tokens_of(). O(size). `sql` must outlive the result.
[[nodiscard]] base::Result<SqlText> cut(std::string_view sql);

/// Whether REPLACE stands there as a way to resolve conflicts, and not as the function: so that
/// rows may vanish that no DELETE names. Errs on the side of yes.
[[nodiscard]] bool may_replace(const std::vector<Token>& tokens);

}  // namespace phasegate::world::database
