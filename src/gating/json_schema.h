#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"

namespace phasegate::gating {

/// One way in which a value does not fit its schema.
struct SchemaProblem {
  std::string path;     ///< JSON Pointer of the value; for a missing member, of the member
  std::string keyword;  ///< the JSON Schema keyword that failed: `type`, `required`, `minimum`, …
  std::string wanted;   ///< in words: "an integer", "at least 3"
  std::string got;      ///< in words, shortened: "a string (\"three\")", "nothing"

  friend bool operator==(const SchemaProblem&, const SchemaProblem&) = default;
};

/// A compiled schema in a closed subset of JSON Schema 2020-12: type, properties, required,
/// additionalProperties (boolean), items, minimum, maximum, exclusiveMinimum, exclusiveMaximum,
/// minLength, maxLength, minItems, maxItems, pattern, enum, const, format (date, date-time, email,
/// uri, uuid), and the annotations title, description, default, examples. What is not known is a
/// compile error, so that no rule is ever skipped silently.
class JsonSchema {
 public:
  /// Errors (`invalid_schema`, `where` = JSON Pointer): unknown keyword (with the nearest known
  /// one), wrong-typed keyword, unknown type or format, a pattern that RE2 refuses.
  [[nodiscard]] static base::Result<JsonSchema> compile(const base::Json& schema);

  JsonSchema(JsonSchema&&) noexcept;
  JsonSchema& operator=(JsonSchema&&) noexcept;
  ~JsonSchema();

  /// All problems of `value` at once, in the order of the schema. 1.0 is an integer, true is not.
  /// Linear in the value (times the schema's own size for its enums).
  [[nodiscard]] std::vector<SchemaProblem> validate(const base::Json& value) const;

  struct Node;

 private:
  explicit JsonSchema(std::unique_ptr<const Node> root);
  std::unique_ptr<const Node> root_;
};

}  // namespace phasegate::gating
