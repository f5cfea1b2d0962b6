#include "phases/lint.h"

#include "base/text.h"
#include "phases/lint_checks.h"
#include "phases/requirement_words.h"

namespace phasegate::phases {
namespace {

void check_word_alone(const Phase& phase, FindingList& findings) {
  if (looks_for_itself(phase.gate)) return;
  std::size_t required = 0;
  for (const Requirement& requirement : phase.gate.requirements) {
    if (!requirement.required) continue;
    if (!requirement.check.empty()) return;
    if (requirement.type != ValueType::boolean) return;
    ++required;
  }
  if (required == 0 || asks_a_person(phase)) return;
  findings.info(
      "only_self_attested",
      "phase " + base::in_quotes(phase.id) +
          " is left on the assistant's word alone: all that it requires is true or false",
      "let a file of corrections add checks that look for themselves (docs/checks.md), or ask for "
      "something that can be looked at as well: a path, a count, what a command printed",
      phase.gate.source.file.empty() ? phase.source : phase.gate.source, phase.id);
}

void check_confidence(const Phase& phase, FindingList& findings) {
  for (const Requirement& requirement : phase.gate.requirements) {
    if (requirement.confidence != Confidence::low) continue;
    findings.warning(
        "low_confidence",
        base::in_quotes(requirement.name) + " (" + type_and_rules(requirement) + ") is a guess" +
            (requirement.description.empty()
                 ? ""
                 : " from " + base::in_quotes(base::shortened(requirement.description, 120))),
        "if it is wrong, write in a file of corrections under phases, \"" + phase.id +
            "\", requirements: - {requirement: " + requirement.name +
            ", type: …}, or drop: true with because: …",
        requirement.source, phase.id);
  }
}

}  // namespace

void lint_workflow(const Workflow& workflow, FindingList& findings) {
  for (const Phase& phase : workflow.phases) {
    check_word_alone(phase, findings);
    check_confidence(phase, findings);
  }
  lint_checks(workflow, findings);
}

}  // namespace phasegate::phases
