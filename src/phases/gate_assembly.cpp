#include "phases/gate_assembly.h"

#include <algorithm>

#include "base/text.h"
#include "phases/checks/checks_reader.h"
#include "phases/gate_finish.h"
#include "phases/requirement_checks.h"

namespace phasegate::phases {
namespace {

bool has_error(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::error; });
}

const Requirement* find_named(const std::vector<Requirement>& requirements,
                              const std::string& name) {
  const auto found =
      std::find_if(requirements.begin(), requirements.end(),
                   [&](const Requirement& requirement) { return requirement.name == name; });
  return found == requirements.end() ? nullptr : &*found;
}

std::vector<std::string> names_missing_in(const std::vector<Requirement>& these,
                                          const std::vector<Requirement>& those) {
  std::vector<std::string> names;
  for (const Requirement& requirement : these) {
    if (find_named(those, requirement.name) == nullptr) names.push_back(requirement.name);
  }
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kNamesShown = 8;
  std::vector<std::string> shown(
      names.begin(),
      names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kNamesShown)));
  if (names.size() > kNamesShown) shown.push_back("…");
  return base::joined(shown, ", ");
}

bool has_rule(const Requirement& requirement) {
  return requirement.minimum || requirement.maximum || requirement.exclusive_minimum ||
         requirement.exclusive_maximum || requirement.min_length || requirement.min_items ||
         requirement.max_length || requirement.max_items || requirement.items ||
         requirement.pattern || requirement.format || requirement.constant ||
         !requirement.one_of.empty();
}

void copy_rules(const Requirement& from, Requirement& to) {
  to.minimum = from.minimum;
  to.maximum = from.maximum;
  to.exclusive_minimum = from.exclusive_minimum;
  to.exclusive_maximum = from.exclusive_maximum;
  to.min_length = from.min_length;
  to.min_items = from.min_items;
  to.max_length = from.max_length;
  to.max_items = from.max_items;
  to.items = from.items;
  to.pattern = from.pattern;
  to.format = from.format;
  to.constant = from.constant;
  to.one_of = from.one_of;
  to.false_allowed = from.false_allowed;
}

/// No two rules for the same thing; one side may have none.
bool rules_agree(const Requirement& one, const Requirement& other) {
  if (!has_rule(one) || !has_rule(other)) return true;
  Requirement same = other;
  copy_rules(one, same);
  return same == other;
}

/// Compares the gate file with the document's own gate and adds what only the latter rules.
void reconcile(Gate& gate, const ReadGate& document, const std::string& phase,
               FindingList& findings) {
  const bool typed = !document.requirements.empty() &&
                     document.requirements.front().kind == RequirementSource::typed_table;
  const std::string sides = to_text(gate.source) + " and " + to_text(document.source);
  if (!typed) {
    // Names of boxes are derived from sentences; only their number can be compared.
    if (document.requirements.empty() || document.requirements.size() == gate.requirements.size()) {
      return;
    }
    findings.warning("sources_disagree",
                     sides + " ask for a different number of things: " +
                         std::to_string(gate.requirements.size()) + " and " +
                         std::to_string(document.requirements.size()) + "; the gate file counts",
                     "make the two agree", document.source, phase);
    return;
  }
  const auto only_file = names_missing_in(gate.requirements, document.requirements);
  const auto only_table = names_missing_in(document.requirements, gate.requirements);
  if (!only_file.empty() || !only_table.empty()) {
    std::string message = sides + " ask for different things; the gate file counts.";
    if (!only_file.empty()) message += " Only in the gate file: " + listed(only_file) + ".";
    if (!only_table.empty()) message += " Only in the table: " + listed(only_table) + ".";
    findings.warning("sources_disagree", message, "make the two agree", document.source, phase);
  }
  for (Requirement& requirement : gate.requirements) {
    const Requirement* weaker = find_named(document.requirements, requirement.name);
    if (weaker == nullptr) continue;
    if (weaker->type != requirement.type) {
      findings.warning(
          "sources_disagree",
          base::in_quotes(requirement.name) + " is " + std::string(to_text(requirement.type)) +
              " at " + to_text(requirement.source) + " and " + std::string(to_text(weaker->type)) +
              " at " + to_text(weaker->source) + "; the gate file counts",
          "make the two agree", weaker->source, phase);
      continue;
    }
    if (weaker->required != requirement.required || !rules_agree(requirement, *weaker)) {
      findings.warning("sources_disagree",
                       base::in_quotes(requirement.name) + " has other rules at " +
                           to_text(requirement.source) + " than at " + to_text(weaker->source) +
                           "; the gate file counts",
                       "make the two agree", weaker->source, phase);
    }
    if (!has_rule(requirement) && has_rule(*weaker)) copy_rules(*weaker, requirement);
  }
}

void compare_with_metadata(const MetadataPhase& phase, const Gate& gate, FindingList& findings) {
  std::vector<std::string> unknown;
  for (const std::string& name : phase.required_evidence) {
    if (find_named(gate.requirements, name) == nullptr) unknown.push_back(name);
  }
  if (unknown.empty()) return;
  const Source source{std::string(kMetadataFile), phase.required_evidence_line, 0};
  findings.info("sources_disagree",
                "metadata.json's required_evidence names what the gate at " + to_text(gate.source) +
                    " does not ask for: " + listed(unknown),
                "make the two agree", source, phase.number);
}

}  // namespace

Gate assemble_gate(const MetadataPhase& phase, std::optional<ReadGateFile> gate_file,
                   bool unreadable, ReadGate document, const std::string& phase_file,
                   FindingList& findings) {
  Gate gate;
  gate.human_approval = document.human_approval;
  gate.human_approval_source = document.human_approval_source;
  bool broken = unreadable || has_error(document.findings);
  findings.add_all(std::move(document.findings));
  const bool gate_file_counts =
      gate_file && (!gate_file->requirements.empty() || has_error(gate_file->findings));
  if (gate_file) {
    broken = broken || has_error(gate_file->findings);
    gate.asks_leniency = gate_file->asks_leniency;
    if (gate_file->human_approval && !gate.human_approval) {
      gate.human_approval = true;
      gate.human_approval_source = gate_file->human_approval_source;
    }
    gate.decision = std::move(gate_file->decision);
    findings.add_all(std::move(gate_file->findings));
  }
  const NativeReport report = NativeReport(phase_file, findings).of_step(phase.number);
  if (gate_file) broken = !add_checks(gate.checks, std::move(gate_file->checks), report) || broken;
  broken = !add_checks(gate.checks, std::move(document.checks), report) || broken;
  if (gate_file_counts) {
    gate.source = gate_file->source;
    gate.requirements = std::move(gate_file->requirements);
    if (!broken) reconcile(gate, document, phase.number, findings);
  } else {
    gate.source = document.source;
    gate.requirements = std::move(document.requirements);
    if (gate_file && !gate.requirements.empty() && gate.checks.empty() && !gate.decision) {
      findings.warning("sources_disagree",
                       to_text(gate_file->source) + " asks for nothing, but " +
                           to_text(gate.source) + " does; the document counts",
                       "list the evidence in the gate file", gate_file->source, phase.number);
    }
  }
  if (gate.source.file.empty() && !gate.checks.empty()) gate.source = gate.checks.front().source;
  if (gate.source.file.empty() && gate.decision) gate.source = gate.decision->source;
  if (!broken) broken = !check_ties(gate, report);
  report_approval(gate, phase.number, findings);
  leave_approval_to_the_person(gate);
  check_wording(gate.requirements, findings, phase.number);
  if (!broken && !gate.requirements.empty()) compare_with_metadata(phase, gate, findings);
  // A gate that could not be read keeps what it has, even nothing: it stays shut by its error.
  if (!broken) make_weak_if_open(gate, phase_file, phase.number, findings);
  return gate;
}

}  // namespace phasegate::phases
