#pragma once
#include <set>
#include <string>
#include <string_view>

namespace phasegate::phases {

/// What can be told of a query without a database.
struct SqlWords {
  /// It begins like a statement that reads: SELECT, WITH, VALUES, or a PRAGMA that a check may ask
  /// for. Blanks and comments before it count for nothing.
  bool reads = false;
  std::set<std::string> parameters;  ///< `id` of `:id`, `@id` and `$id`; none of texts or comments
};

/// Total: any bytes give a result. Linear.
[[nodiscard]] SqlWords sql_words(std::string_view query);

}  // namespace phasegate::phases
