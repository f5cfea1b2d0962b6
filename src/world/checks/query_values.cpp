#include "world/checks/query_values.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/text.h"
#include "gating/expression.h"
#include "world/checks/parameters.h"

namespace phasegate::world::checks {

using base::Error;
using base::Json;
using base::Result;

namespace {

/// In order. Not among them: what reads or writes files, loads code, tells of the process
/// (fts3_tokenizer, load_extension, readfile, sqlite_compileoption_get, …).
constexpr std::array<std::string_view, 112> kFunctions{
    "->",
    "->>",
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "avg",
    "bm25",
    "ceil",
    "ceiling",
    "char",
    "coalesce",
    "cos",
    "cosh",
    "count",
    "cume_dist",
    "current_date",
    "current_time",
    "current_timestamp",
    "date",
    "datetime",
    "degrees",
    "dense_rank",
    "exp",
    "first_value",
    "floor",
    "format",
    "glob",
    "group_concat",
    "hex",
    "highlight",
    "ifnull",
    "iif",
    "instr",
    "json",
    "json_array",
    "json_array_length",
    "json_each",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_insert",
    "json_object",
    "json_patch",
    "json_quote",
    "json_remove",
    "json_replace",
    "json_set",
    "json_tree",
    "json_type",
    "json_valid",
    "julianday",
    "lag",
    "last_value",
    "lead",
    "length",
    "like",
    "likelihood",
    "likely",
    "ln",
    "log",
    "log10",
    "log2",
    "lower",
    "ltrim",
    "match",
    "max",
    "min",
    "mod",
    "nth_value",
    "ntile",
    "nullif",
    "offsets",
    "percent_rank",
    "pi",
    "pow",
    "power",
    "printf",
    "quote",
    "radians",
    "rank",
    "replace",
    "round",
    "row_number",
    "rtrim",
    "sign",
    "sin",
    "sinh",
    "snippet",
    "soundex",
    "sqlite_version",
    "sqrt",
    "strftime",
    "substr",
    "substring",
    "sum",
    "tan",
    "tanh",
    "time",
    "total",
    "trim",
    "trunc",
    "typeof",
    "unhex",
    "unicode",
    "unixepoch",
    "unlikely",
    "upper",
};

QueryValue of_json(const Json& value, std::string text) {
  if (const auto whole = base::as_integer(value)) return *whole;
  if (value.is_number()) return value.get<double>();
  if (value.is_boolean()) return std::int64_t{value.get<bool>()};
  return text;
}

/// The value that a template means: of its path if it is nothing else.
Result<QueryValue> value_of(const std::string& written, const Json& scope) {
  auto text = gating::filled(written, scope);
  if (!text) return text.error();
  const std::string_view whole = base::trimmed(written);
  const auto names = gating::template_names(whole);
  const bool one = names && names->size() == 1 && whole.starts_with("{{") &&
                   whole.ends_with("}}") && whole.find("}}") == whole.size() - 2;
  if (!one) return QueryValue(std::move(text).value());
  const auto path = gating::Expression::parse(names->front());
  if (!path) return QueryValue(std::move(text).value());
  const auto value = path->evaluate(scope);
  if (!value) return value.error();
  return of_json(*value, std::move(text).value());
}

}  // namespace

Result<QueryValues> query_values(const Ask& ask) {
  QueryValues values;
  values.emplace_back("run", ask.scene.run_id);
  if (const Json* run = base::find_member(ask.scene.scope, "run")) {
    if (const auto id = base::string_member(*run, "id")) values.front().second = *id;
  }
  const Json* written = base::find_member(ask.parameters, "parameters");
  if (written != nullptr) {
    for (const auto& [key, text] : written->items()) {
      const std::string name = key.starts_with(':') ? key.substr(1) : key;
      if (name == "run") {
        return Error{"invalid_check", "the parameter run is always the run's id",
                     "give yours another name", "parameters"};
      }
      if (!text.is_string()) {
        return Error{"invalid_check", "the parameter " + base::in_quotes(name) + " is no text", "",
                     "parameters"};
      }
      auto value = value_of(text.get_ref<const std::string&>(), ask.scene.scope);
      if (!value) return value.error();
      values.emplace_back(name, std::move(value).value());
    }
  }
  const Json* argument = base::find_member(ask.scene.scope, "arg");
  const bool given = std::any_of(values.begin(), values.end(),
                                 [](const auto& value) { return value.first == "arg"; });
  if (argument == nullptr || given) return values;
  if (!argument->is_primitive() || argument->is_null()) {
    return Error{"invalid_check",
                 "the argument is " + std::string(base::json_type_name(*argument)) +
                     ", wanted a text, a number or a flag",
                 "", "arg"};
  }
  std::string text = argument->is_string() ? argument->get<std::string>() : base::dump(*argument);
  values.emplace_back("arg", of_json(*argument, std::move(text)));
  return values;
}

bool is_harmless_function(std::string_view name) {
  return std::binary_search(kFunctions.begin(), kFunctions.end(), base::lowered(name));
}

}  // namespace phasegate::world::checks
