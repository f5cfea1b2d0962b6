#include "phases/document_gates.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "phases/gate_finish.h"
#include "phases/requirement_checks.h"

namespace phasegate::phases {

void report_entry(const std::vector<Requirement>& entry, int first_phase, const std::string& phase,
                  FindingList& findings) {
  const auto report = [&](std::size_t count, const Requirement& first, Severity severity) {
    findings.add(
        {severity, "entry_gate",
         counted(count, "thing", "things") + " must hold to begin " +
             (phase.empty() ? "the work" : "phase " + phase) + ", first " +
             base::in_quotes(
                 base::shortened(first.description.empty() ? first.name : first.description, 80)) +
             "; " + (count == 1 ? "it is" : "they are") + " not asked for as evidence",
         severity == Severity::warning
             ? "ask for it at the end of the phase before, or in the first phase's own gate"
             : "",
         first.source, phase});
  };
  const auto is_before = [first_phase](const Requirement& requirement) {
    return requirement.source.line > 0 && requirement.source.line < first_phase;
  };
  for (const Severity severity : {Severity::warning, Severity::info}) {
    const Requirement* first = nullptr;
    std::size_t count = 0;
    for (const Requirement& requirement : entry) {
      if (is_before(requirement) != (severity == Severity::warning)) continue;
      if (first == nullptr) first = &requirement;
      ++count;
    }
    if (first != nullptr) report(count, *first, severity);
  }
}

Gate gate_of(ReadCriteria criteria, const std::string& file, int first_phase, const Phase& phase,
             FindingList& findings) {
  Gate gate;
  gate.source = std::move(criteria.source);
  if (gate.source.file.empty()) gate.source = phase.source;
  if (gate.source.file.empty()) gate.source = {file, 0, 0};
  gate.human_approval = criteria.human_approval;
  gate.human_approval_source = std::move(criteria.human_approval_source);
  join_requirements(gate.requirements, std::move(criteria.exit), findings, phase.id);
  report_entry(criteria.entry, first_phase, phase.id, findings);
  return gate;
}

void add_whole(ReadCriteria whole, const std::string& file, int first_phase, Workflow& workflow,
               FindingList& findings) {
  report_entry(whole.entry, first_phase, "", findings);
  Phase& last = workflow.phases.back();
  if (whole.human_approval && !last.gate.human_approval) {
    last.gate.human_approval = true;
    last.gate.human_approval_source = std::move(whole.human_approval_source);
  }
  if (whole.exit.empty()) return;
  if (last.gate.requirements.empty() && !whole.source.file.empty()) last.gate.source = whole.source;
  const Source source = whole.source.file.empty() ? Source{file, 0, 0} : whole.source;
  findings.info("gate_of_the_whole",
                counted(whole.exit.size(), "thing is", "things are") +
                    " asked for the work as a whole, and thus to leave its last phase, " + last.id,
                "", source, last.id);
  join_requirements(last.gate.requirements, std::move(whole.exit), findings, last.id);
}

void finish_gates(Workflow& workflow, const std::vector<Finding>& read, FindingList& findings) {
  const bool broken = std::any_of(read.begin(), read.end(), [](const Finding& finding) {
    return finding.severity == Severity::error;
  });
  for (Phase& phase : workflow.phases) {
    report_approval(phase.gate, phase.id, findings);
    leave_approval_to_the_person(phase.gate);
    check_wording(phase.gate.requirements, findings, phase.id);
    if (!broken) make_weak_if_open(phase.gate, phase.file, phase.id, findings);
  }
}

}  // namespace phasegate::phases
