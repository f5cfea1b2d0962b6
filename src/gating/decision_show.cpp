#include "gating/decision_show.h"

#include "base/json.h"
#include "base/text.h"
#include "gating/check_names.h"
#include "gating/expression.h"

namespace phasegate::gating {

using base::Error;
using base::Json;

std::optional<Error> impossible_show(const phases::Workflow& workflow, const phases::Phase& phase,
                                     const std::vector<std::string>& checks) {
  if (!phase.gate.decision) return std::nullopt;
  CheckPlace place{workflow, phase, checks, false, {}};
  for (const phases::Phase& one : workflow.phases) {
    for (const phases::Requirement& field : one.gate.requirements) {
      place.bare.push_back(field.name);
    }
    if (one.id == phase.id) break;
  }
  const auto invalid = [&](const std::string& text, const std::string& problem, std::string hint) {
    return Error{"invalid_decision",
                 "the decision of phase " + phase.id + " shows " +
                     base::in_quotes(base::shortened(text, 80)) + ": " + problem,
                 std::move(hint), phases::to_text(phase.gate.decision->source)};
  };
  for (const std::string& text : phase.gate.decision->show) {
    const auto expression = Expression::parse(text);
    if (!expression) return invalid(text, expression.error().message, expression.error().hint);
    const auto problem = name_problem(expression->paths(), place, phases::CheckKind::expr);
    if (problem) return invalid(text, problem->problem, problem->hint);
  }
  return std::nullopt;
}

void add_fields_by_name(Json& scope, const phases::Workflow& workflow, const phases::Phase& phase) {
  Json fields = Json::object();
  const auto add = [&](const Json* evidence) {
    if (evidence == nullptr || !evidence->is_object()) return;
    for (const auto& [name, value] : evidence->items()) fields[name] = value;
  };
  if (const Json* steps = base::find_member(scope, "steps")) {
    for (const phases::Phase& one : workflow.phases) {
      if (one.id == phase.id) break;
      const Json* step = base::find_member(*steps, one.id);
      if (step != nullptr) add(base::find_member(*step, "evidence"));
    }
  }
  add(base::find_member(scope, "evidence"));
  for (auto& [name, value] : fields.items()) {
    if (!scope.contains(name)) scope[name] = std::move(value);
  }
}

}  // namespace phasegate::gating
