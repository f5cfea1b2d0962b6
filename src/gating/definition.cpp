#include "gating/definition.h"

#include <set>

#include "base/json.h"
#include "base/text.h"
#include "gating/decision_show.h"

namespace phasegate::gating {

base::Result<std::shared_ptr<const Definition>> Definition::make(std::string hash,
                                                                 phases::Workflow workflow) {
  const auto invalid = [&](std::string message, std::string where) {
    return base::Error{"invalid_definition", std::move(message), "", std::move(where)};
  };
  // Phases to come from a document are enough; a run is pinned to them, never to none.
  if (workflow.phases.empty() && !workflow.dynamic)
    return invalid("the workflow has no phases", workflow.id);
  auto definition = std::make_shared<Definition>();
  std::set<std::string> ids;
  for (const phases::Phase& phase : workflow.phases) {
    if (!phases::is_phase_id(phase.id)) {
      return invalid(base::in_quotes(phase.id) + " is no phase id", phases::to_text(phase.source));
    }
    if (!ids.insert(phase.id).second) {
      return invalid("two phases have the id " + phase.id, phases::to_text(phase.source));
    }
    if (phase.gate.requirements.empty() && phase.gate.checks.empty() && !phase.gate.none &&
        !phases::asks_a_person(phase)) {
      return invalid("the gate of phase " + phase.id + " requires nothing",
                     phases::to_text(phase.gate.source));
    }
    auto gate = EvidenceGate::compile(phase.gate);
    if (!gate) return gate.error();
    definition->gates.push_back(std::move(gate).value());
    auto checks = CheckGate::compile(workflow, phase);
    if (!checks) return checks.error();
    std::vector<std::string> names;
    for (const phases::Check& check : checks->checks()) names.push_back(check.name);
    if (auto error = impossible_show(workflow, phase, names)) return *error;
    definition->checks.push_back(std::move(checks).value());
  }
  phases::Gate input;
  input.requirements = workflow.input;
  input.none = true;
  auto compiled = EvidenceGate::compile(input);
  if (!compiled) return compiled.error();
  definition->input.emplace(std::move(compiled).value());
  definition->hash = std::move(hash);
  definition->workflow = std::move(workflow);
  return std::shared_ptr<const Definition>(std::move(definition));
}

base::Result<std::shared_ptr<const Definition>> definition_of(
    const phases::LoadedWorkflow& loaded) {
  const auto not_startable = [&](const std::string& cause, const std::string& where,
                                 std::size_t others) {
    std::string message = base::in_quotes(loaded.workflow.id) + " cannot be started: " + cause;
    if (others > 0) message += " (and " + std::to_string(others) + " more)";
    return base::Error{"not_startable", std::move(message),
                       "ask the person you work for to run `phasegate workflows`, which says why",
                       where};
  };
  const phases::Finding* first = nullptr;
  std::size_t errors = 0;
  for (const phases::Finding& finding : loaded.findings) {
    if (finding.severity != phases::Severity::error) continue;
    if (errors++ == 0) first = &finding;
  }
  if (first != nullptr) {
    return not_startable(first->message, phases::to_text(first->source), errors - 1);
  }
  auto definition = Definition::make(loaded.content_hash, loaded.workflow);
  if (!definition) {
    return not_startable(definition.error().message, definition.error().where, 0);
  }
  return definition;
}

}  // namespace phasegate::gating
