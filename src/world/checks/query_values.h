#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "world/checks/kinds.h"

/// What a query of a database is given, and what it may do. Knows nothing of SQLite.
namespace phasegate::world::checks {

using QueryValue = std::variant<std::int64_t, double, std::string>;
/// Names without `:`, with their values.
using QueryValues = std::vector<std::pair<std::string, QueryValue>>;

/// The values of a check's `parameters`, with `run` (the run's id) and, in a named check that is
/// called, `arg`. A template that is nothing but `{{path}}` gives a number where the value at the
/// path is one, and a text otherwise. Errors: those of templates, `run` among the parameters.
[[nodiscard]] base::Result<QueryValues> query_values(const Ask& ask);

/// Whether a query may call this function of SQL: those that compute and nothing else.
[[nodiscard]] bool is_harmless_function(std::string_view name);

}  // namespace phasegate::world::checks
