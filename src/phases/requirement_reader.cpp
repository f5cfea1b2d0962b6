#include "phases/requirement_reader.h"

#include <utility>

#include "base/text.h"
#include "phases/document_gates.h"
#include "phases/finding_list.h"
#include "phases/reading/document_reading.h"
#include "phases/requirement_checks.h"

namespace phasegate::phases {

ReadGate PlainRequirementReader::read(std::string_view text, std::string_view path,
                                      std::string_view phase_id) const {
  const std::string phase(phase_id);
  DocumentReading reading = read_phase_document(text, path, phase_id);
  ReadCriteria& criteria = reading.phases.front().criteria;
  FindingList findings;
  findings.add_all(std::move(reading.findings));
  ReadGate gate;
  gate.human_approval = criteria.human_approval;
  gate.human_approval_source = criteria.human_approval_source;
  gate.source = criteria.source;
  for (Requirement& requirement : criteria.exit) {
    if (!requirement.required) {
      findings.info("conditional_requirement",
                    base::in_quotes(requirement.name) + " is conditional and may be absent: " +
                        base::in_quotes(base::shortened(requirement.description, 100)),
                    "", requirement.source, phase);
    }
    if (!add_requirement(gate.requirements, std::move(requirement), findings, phase)) break;
  }
  report_entry(criteria.entry, 0, phase, findings);
  gate.findings = findings.take();
  return gate;
}

}  // namespace phasegate::phases
