#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/check_result.h"
#include "gating/expression.h"
#include "gating/field_problem.h"
#include "phases/workflow.h"

namespace phasegate::gating {

/// The checks of a gate, ready to be carried out. Compiling is the only place where one can be
/// found unusable: whatever an author wrote wrong is told before a run begins (ARCHITECTURE §5,
/// 000-40).
class CheckGate {
 public:
  /// Errors (`invalid_check`, `where` = the line): two checks with one name; an expression, a
  /// pattern, a template or a schema that does not compile; a name that cannot exist, with the
  /// nearest one that can; a named check that does not exist, has the name of a function or calls
  /// itself by others; a field tied to a check that the gate does not have, or tied to one whose
  /// findings it can never say (impossible_tie); `changed_since_step` of
  /// a path that is not known yet when the phase is entered. O(checks), for the first phase
  /// O(named checks) as well.
  [[nodiscard]] static base::Result<CheckGate> compile(const phases::Workflow& workflow,
                                                       const phases::Phase& phase);

  /// The gate's own checks, then one per field that names a path of the project (`exists:FIELD`).
  [[nodiscard]] const std::vector<phases::Check>& checks() const { return checks_; }
  /// The checks that this evidence makes necessary: all but those of paths that it leaves out.
  /// They point into this object.
  [[nodiscard]] std::vector<const phases::Check*> due(const base::Json& evidence) const;

  /// Fields that rest on more than the sender's word: tied to a check, a path that is looked for,
  /// named in what a check looks at, or compared by an expression with any of these. An expression
  /// over claims alone backs none of them.
  [[nodiscard]] const std::set<std::string>& backed() const { return backed_; }

  /// The condition of a check of the kind `expr`, by the check's name; null: there is none.
  [[nodiscard]] const Expression* expression(const std::string& check) const;
  /// The same of a named check that this gate's expressions may call.
  [[nodiscard]] const Expression* named_expression(const std::string& check) const;

  /// Fields tied to a check whose value is not what the check found: whether it passed, for a
  /// boolean, else its value. What was skipped, or not carried out, found nothing to compare with;
  /// a check that passed and found no value backs none, so that the field is untrue.
  [[nodiscard]] std::vector<FieldProblem> untrue(const phases::Gate& gate,
                                                 const base::Json& evidence,
                                                 const std::vector<CheckResult>& results) const;

 private:
  std::vector<phases::Check> checks_;
  std::map<std::string, std::string> fields_;  ///< of the implied checks, by their names
  std::set<std::string> backed_;
  std::map<std::string, Expression> expressions_;
  std::map<std::string, Expression> named_expressions_;
};

}  // namespace phasegate::gating
