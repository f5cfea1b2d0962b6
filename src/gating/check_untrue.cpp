#include <string>

#include "base/json.h"
#include "base/text.h"
#include "gating/check_gate.h"
#include "gating/check_ties.h"
#include "gating/expression_values.h"

namespace phasegate::gating {

using base::Json;
using phases::Requirement;
using phases::ValueType;

namespace {

FieldProblem untrue_field(const Requirement& field, std::string wanted, const Json& sent) {
  FieldProblem problem;
  problem.field = field.name;
  problem.keyword = "check";
  problem.wanted = std::move(wanted);
  problem.got = value_in_words(sent);
  problem.description = field.description;
  problem.source = field.source;
  problem.text = field.name + " (validation failed: " +
                 (field.description.empty() ? "" : field.description + "; ") + "wanted " +
                 problem.wanted + ", got " + problem.got + ")";
  return problem;
}

}  // namespace

std::vector<FieldProblem> CheckGate::untrue(const phases::Gate& gate, const Json& evidence,
                                            const std::vector<CheckResult>& results) const {
  constexpr std::size_t kShownBytesMax = 100;
  std::vector<FieldProblem> problems;
  for (const Requirement& field : gate.requirements) {
    const Json* sent = field.check.empty() ? nullptr : base::find_member(evidence, field.name);
    if (sent == nullptr || sent->is_null()) continue;
    for (const CheckResult& result : results) {
      if (result.name != field.check) continue;
      // What did not take place found nothing out; a gate does not open by it either.
      if (result.outcome == CheckOutcome::skipped || result.outcome == CheckOutcome::errored) break;
      // That a check did not pass is told by itself; to say so as well would open nothing.
      if (field.type == ValueType::boolean && result.outcome != CheckOutcome::passed) break;
      const auto found = found_for(result, field);
      if (!found) {
        if (result.outcome == CheckOutcome::passed) {
          problems.push_back(untrue_field(
              field, "a value that the check " + result.name + " finds, which found none", *sent));
        }
        break;
      }
      StepBudget budget;
      if (strictly_equal(*sent, *found, budget).value_or(false)) break;
      problems.push_back(untrue_field(field,
                                      base::shortened(base::dump(*found), kShownBytesMax) +
                                          ", which the check " + result.name + " found",
                                      *sent));
      break;
    }
  }
  return problems;
}

}  // namespace phasegate::gating
