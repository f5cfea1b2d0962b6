#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "gating/alias_names.h"
#include "gating/json_schema.h"
#include "phases/workflow.h"

namespace phasegate::gating {

/// One field of the evidence that keeps the gate shut.
struct FieldProblem {
  std::string field;
  std::string keyword;  ///< JSON Schema keyword: `required`, `type`, `minimum`, …
  std::string wanted;   ///< in words
  std::string got;      ///< in words
  /// A name among the extra fields that was probably meant for this one; empty if there is none.
  std::string sent_as;
  std::string description;
  phases::Source source;  ///< the line that asks for it
  /// The seed's sentence: `x (required: …)`, `x (wrong type: expected integer, got string)`,
  /// `x (validation failed: …)` (004-20, 004-21, 004-22).
  std::string text;

  friend bool operator==(const FieldProblem&, const FieldProblem&) = default;
};

/// What a requirement's schema says of a value, in the requirement's words. `inner_path`: the place
/// within the value, "" for the value itself; `sent`: the value, null if there is none.
[[nodiscard]] FieldProblem field_problem(const phases::Requirement& requirement,
                                         const SchemaProblem& problem,
                                         const std::string& inner_path, const base::Json* sent);

/// Two names of one requirement with two values: nobody can say which of them counts.
[[nodiscard]] FieldProblem conflict_problem(const phases::Requirement& requirement,
                                            const std::vector<AliasConflict>& conflicts);

/// A text that may not be blank and is, at `inner_path`.
[[nodiscard]] FieldProblem blank_problem(const phases::Requirement& requirement,
                                         const std::string& inner_path, const base::Json* sent);

}  // namespace phasegate::gating
