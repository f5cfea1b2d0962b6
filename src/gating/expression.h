#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/templates.h"

namespace phasegate::gating {

/// Calls a named check (`planSaved(evidence.id)`): whether it passed. An error, or a name that it
/// does not know, makes the expression err.
using CheckCaller = std::function<base::Result<bool>(const std::string& name,
                                                     const std::vector<base::Json>& arguments)>;

/// A condition in the small expression language (docs/expressions.md): no loops, no assignment, no
/// calls into the host but named checks. Total: bounded by text, depth and steps.
///
/// Names are members of the scope, an object: `evidence.count`, `steps.plan.output.paths`,
/// `checks.unit.passed`, `input.target_file`, `run.id`. A member that is not there is null; a name
/// that the scope does not have is an error. Aliases of other dialects (`context.x`,
/// `checkpoint.x`, `ctx.x`, an arrow `ctx =>` in front) are taken.
class Expression {
 public:
  /// Errors (`invalid_expression`, with the column in the message): what does not parse, unknown
  /// functions (nearest name), a bad pattern in matches(), more than the limits. `functions`: names
  /// of checks that may be called. O(text).
  [[nodiscard]] static base::Result<Expression> parse(
      std::string_view text, const std::vector<std::string>& functions = {});

  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  /// Errors (`expression_failed`): a name that is not in scope, ordering across types, a member of
  /// something that has none, division by zero, the limits. `==` across types is false, not an
  /// error. A condition holds only if the result is the boolean true.
  [[nodiscard]] base::Result<base::Json> evaluate(const base::Json& scope,
                                                  const CheckCaller& call = {}) const;

  /// The first parts of the paths it reads, with their second where it is a constant:
  /// `evidence.count`, `checks.unit`; sorted, each once, aliases as what they stand for. For the
  /// linter and for what evidence is tied to.
  [[nodiscard]] const std::vector<std::string>& names() const;
  /// The same paths as far as they are constant: {`steps`, `plan`, `output`}; sorted, each once.
  [[nodiscard]] const std::vector<std::vector<std::string>>& paths() const;
  /// Names of the checks that it calls; sorted, each once.
  [[nodiscard]] const std::vector<std::string>& calls() const;
  [[nodiscard]] const std::string& text() const;

 private:
  struct Parsed;
  explicit Expression(std::unique_ptr<const Parsed> parsed);
  std::unique_ptr<const Parsed> parsed_;
};

}  // namespace phasegate::gating
