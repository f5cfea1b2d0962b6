#pragma once
#include <set>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/check_result.h"
#include "gating/field_problem.h"
#include "phases/workflow.h"

namespace phasegate::gating {

class CheckGate {
 public:
  [[nodiscard]] static base::Result<CheckGate> compile(const phases::Workflow&,
                                                       const phases::Phase& phase) {
    CheckGate gate;
    gate.checks_ = phase.gate.checks;
    return gate;
  }
  [[nodiscard]] const std::set<std::string>& backed() const { return backed_; }
  [[nodiscard]] std::vector<const phases::Check*> due(const base::Json&) const {
    std::vector<const phases::Check*> all;
    for (const phases::Check& check : checks_) all.push_back(&check);
    return all;
  }
  [[nodiscard]] std::vector<FieldProblem> untrue(const phases::Gate&, const base::Json&,
                                                 const std::vector<CheckResult>&) const {
    return {};
  }

 private:
  std::vector<phases::Check> checks_;
  std::set<std::string> backed_;
};

}  // namespace phasegate::gating
