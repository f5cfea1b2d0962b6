#pragma once
/// The only place where JSON is parsed. Include this from .cpp files; headers use json_fwd.h,
/// because the library's header costs more to compile than the rest of a file together.
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/json_fwd.h"
#include "base/result.h"

/// Compiled once, in json.cpp.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace phasegate::base {

/// Bounds on a document that somebody else wrote.
struct JsonLimits {
  std::size_t bytes_max;
  std::size_t depth_max;
};

/// What came out of a document that may be refused. When `error` is set, `document` still holds
/// what was understood (a subtree that was too deep is null), so that a JSON-RPC reader can answer
/// the request's id instead of leaving its client waiting.
struct ParsedJson {
  std::optional<Json> document;
  std::optional<Error> error;
  /// True if the text is not JSON at all; false if it is, and only a limit or a duplicate key
  /// speaks against it.
  bool malformed = false;
};

/// A document and the line (from 1) on which each value begins, by JSON Pointer ("" is the root).
struct JsonWithLines {
  Json document;
  std::map<std::string, int> lines;

  /// The line of the value at `pointer`, or of the nearest value around it.
  [[nodiscard]] int line_of(std::string_view pointer) const;
};

/// Parses RFC 8259 JSON. Refuses (code `invalid_json`, message with line and column) malformed
/// text, invalid UTF-8, duplicate keys, numbers that no double holds, a second document, and
/// anything over the limits. A leading byte order mark is accepted. O(n) in the size of `text`.
[[nodiscard]] Result<Json> parse_json(std::string_view text, JsonLimits limits);

/// The same, keeping what was understood; see ParsedJson.
[[nodiscard]] ParsedJson parse_json_keeping(std::string_view text, JsonLimits limits);

/// The same with the line of every value, for files that people edit.
[[nodiscard]] Result<JsonWithLines> parse_json_with_lines(std::string_view text, JsonLimits limits);

/// Compact text on one line; invalid UTF-8 inside strings is replaced, never thrown.
[[nodiscard]] std::string dump(const Json& value);
/// Indented text for people: nothing in it can steer a terminal.
[[nodiscard]] std::string dump_pretty(const Json& value);
/// Compact text with keys sorted at every level: equal values give equal text (for digests).
/// 1 and 1.0 are the same number in JSON and give the same text.
[[nodiscard]] std::string dump_canonical(const Json& value);

/// The member of an object, or null if `value` is no object or has no such member. O(members).
[[nodiscard]] const Json* find_member(const Json& value, std::string_view name);
/// A member that is a string, or nullopt.
[[nodiscard]] std::optional<std::string> string_member(const Json& value, std::string_view name);
/// A member that is a boolean, or nullopt.
[[nodiscard]] std::optional<bool> bool_member(const Json& value, std::string_view name);
/// A member that is a whole number within int64 (1.0 counts, true does not), or nullopt.
[[nodiscard]] std::optional<std::int64_t> integer_member(const Json& value, std::string_view name);
/// A value that is a whole number within int64 (1.0 counts, true does not), or nullopt.
[[nodiscard]] std::optional<std::int64_t> as_integer(const Json& value);
/// A number as people write it: a whole one has no fraction.
[[nodiscard]] Json number_json(double value);
/// `boolean`, `integer`, `number`, `string`, `array`, `object` or `null`, as JSON Schema names it.
[[nodiscard]] std::string_view json_type_name(const Json& value);

}  // namespace phasegate::base
