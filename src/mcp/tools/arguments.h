#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/json_schema.h"

namespace phasegate::mcp::tools {

/// The arguments of a call, checked against the tool's own input schema before anything is read.
/// Whole numbers are taken for `phase` and `task_number`, whose schema says text, because
/// assistants write both; and a plain text for `input`, whose schema says object.
class Arguments {
 public:
  /// Errors (`invalid_argument`): everything that does not fit, in one message, with the nearest
  /// known argument for an unknown one.
  [[nodiscard]] static base::Result<Arguments> check(const gating::JsonSchema& schema,
                                                     const base::Json& arguments);

  /// A text argument, or "" if it was not given.
  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  /// Any value, or null if it was not given.
  [[nodiscard]] const base::Json* value(std::string_view name) const;

  /// The argument `phase` as a phase id. Errors (`invalid_argument`): not an id as documents write
  /// them (−1, 2.5 as a number, 10^30, an empty text), with what was given.
  [[nodiscard]] base::Result<std::string> phase() const;
  /// The argument `task_number` as text ("" if absent). Errors: `invalid_argument`.
  [[nodiscard]] base::Result<std::string> task_number() const;

 private:
  explicit Arguments(const base::Json& arguments) : arguments_(&arguments) {}
  const base::Json* arguments_;
};

}  // namespace phasegate::mcp::tools
