#include "phases/correction/phase_corrector.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/text.h"
#include "phases/checks/checks_reader.h"
#include "phases/correction/field_corrector.h"
#include "phases/correction/reference.h"
#include "phases/gate_finish.h"
#include "phases/requirement_checks.h"

namespace phasegate::phases {
namespace {

using Act = RequirementCorrection::Act;

/// Errors about a requirement's rules: gone once it is dropped or its type and rules are written.
constexpr std::array<std::string_view, 6> kRuleErrors = {
    "unknown_validator",      "unsupported_validator_params",
    "validator_does_not_fit", "impossible_rule",
    "ambiguous_number",       "number_too_large"};

class PhaseCorrector {
 public:
  PhaseCorrector(Phase& phase, const PhaseCorrection& correction, const NativeReport& report)
      : phase_(phase),
        correction_(correction),
        report_(report),
        findings_(report.findings()),
        read_(phase.gate.requirements) {}

  void correct() {
    if (correction_.title) correct_title();
    if (correction_.decision || correction_.decision_none) correct_decision();
    if (correction_.gate_none) {
      ask_for_nothing();
      return;
    }
    if (correction_.requirements.empty() && correction_.checks.empty()) {
      if (correction_.decision || nobody_decides_) return finish_gate();
      if (!correction_.title && !correction_.decision_none)
        without_effect("phase " + phase_.id, correction_.source);
      return;
    }
    for (const RequirementCorrection& entry : correction_.requirements) correct_entry(entry);
    finish_gate();
  }

 private:
  void without_effect(const std::string& what, const Source& source) {
    // What is wrong with the correction is said already.
    if (findings_.has_error_of(phase_.id)) return;
    findings_.warning("correction_without_effect",
                      "the correction of " + what + " changes nothing: it is read like that",
                      "remove it", source, phase_.id);
  }

  void correct_title() {
    if (*correction_.title == phase_.title) {
      without_effect("the title of phase " + phase_.id, correction_.source);
    }
    phase_.title = *correction_.title;
  }

  void correct_decision() {
    Gate& gate = phase_.gate;
    const bool asked = gate.human_approval || gate.decision;
    const Source read_at = gate.decision ? gate.decision->source : gate.human_approval_source;
    if (correction_.decision_none) {
      if (!asked) return without_effect("the decision of phase " + phase_.id, correction_.source);
      if (correction_.because.empty()) {
        report_.error("missing_key",
                      "decision: none leaves out that a person decides (" + to_text(read_at) +
                          ") without a reason",
                      "write because: and why the document does not ask for it",
                      correction_.source);
      }
      findings_.info("dropped",
                     "phase " + phase_.id + " is left without a person's decision, read at " +
                         to_text(read_at) + ": " + base::shortened(correction_.because, 300),
                     "", correction_.source, phase_.id);
      gate.human_approval = false;
      gate.human_approval_source = {};
      gate.decision.reset();
      nobody_decides_ = true;
      // Nobody else says it now.
      for (Requirement& requirement : read_) {
        if (says_approval(requirement)) requirement.required = true;
      }
    } else {
      gate.decision = correction_.decision;
      // `whole` stands for this phase.
      for (DecisionOption& option : gate.decision->options) {
        if (option.phase == correction_.phase) option.phase = phase_.id;
      }
    }
    findings_.withdraw([&](const Finding& finding) {
      return finding.phase == phase_.id && finding.severity != Severity::error &&
             finding.code.starts_with("human_approval");
    });
  }

  void ask_for_nothing() {
    Gate& gate = phase_.gate;
    if (gate.none) return without_effect("the gate of phase " + phase_.id, correction_.source);
    const auto demanded = std::count_if(read_.begin(), read_.end(), [](const Requirement& one) {
      return one.kind != RequirementSource::synthetic;
    });
    const auto left_out = static_cast<std::size_t>(demanded) + gate.checks.size();
    if (left_out > 0 && correction_.because.empty() && correction_.requirements.empty()) {
      report_.error("missing_key",
                    "gate: none leaves out " + counted(left_out, "requirement", "requirements") +
                        " of phase " + phase_.id + " without a reason",
                    "write because: and why they are no demands of the document",
                    correction_.source);
    }
    for (const Requirement& requirement : read_) withdraw(requirement, true);
    withdraw_weakness();
    gate.requirements.clear();
    gate.checks.clear();
    gate.weak = false;
    gate.none = true;
    if (correction_.because.empty()) return;
    findings_.info(
        "dropped",
        "phase " + phase_.id + " asks for nothing: " + base::shortened(correction_.because, 300),
        "", correction_.source, phase_.id);
  }

  void correct_entry(const RequirementCorrection& entry) {
    if (entry.act == Act::add) {
      if (auto added = added_field(entry, report_)) added_.push_back(std::move(*added));
      return;
    }
    const auto index = find_requirement(entry, read_, phase_.id, findings_);
    if (!index) return;
    const Requirement& read = read_[*index];
    if (const auto [first, is_new] = corrected_.emplace(*index, entry.source); !is_new) {
      findings_.error(
          "corrected_twice",
          base::in_quotes(read.name) + " is corrected twice, first at " + to_text(first->second),
          "make one entry of the two", entry.source, phase_.id);
      return;
    }
    if (entry.act == Act::drop) {
      withdraw(read, true);
      findings_.info("dropped",
                     base::in_quotes(read.name) + ", read at " + to_text(read.source) +
                         ", is not asked for: " + base::shortened(entry.because, 300),
                     "", entry.source, phase_.id);
      replaced_.emplace(*index, std::nullopt);
      return;
    }
    auto corrected = corrected_field(read, entry, report_);
    if (!corrected) return;
    Requirement unsure = *corrected;
    unsure.confidence = read.confidence;
    unsure.kind = read.kind;
    // To name what was read with doubt, and nothing else, says that it is right.
    if (unsure == read && read.confidence == Confidence::high) {
      without_effect(base::in_quotes(read.name), entry.source);
    }
    withdraw(read, entry.field.value.find("type") != nullptr);
    if (corrected->name != read.name) old_names_.insert(read.name);
    replaced_.emplace(*index, std::move(*corrected));
  }

  /// Takes back what the reading says of a requirement, whose name is in quotes in all of it.
  void withdraw(const Requirement& read, bool rules_too) {
    const std::string named = base::in_quotes(read.name);
    findings_.withdraw([&](const Finding& finding) {
      if (finding.phase != phase_.id || finding.source.file == report_.file()) return false;
      if (finding.message.find(named) == std::string::npos) return false;
      const bool of_rules =
          std::find(kRuleErrors.begin(), kRuleErrors.end(), finding.code) != kRuleErrors.end();
      return finding.severity != Severity::error || (rules_too && of_rules);
    });
  }

  void withdraw_weakness() {
    findings_.withdraw([&](const Finding& finding) {
      return finding.phase == phase_.id && finding.code == "weak_gate";
    });
  }

  void finish_gate() {
    Gate& gate = phase_.gate;
    std::vector<Requirement> requirements;
    for (std::size_t i = 0; i < read_.size(); ++i) {
      const auto replaced = replaced_.find(i);
      if (replaced == replaced_.end()) {
        if (read_[i].kind != RequirementSource::synthetic) requirements.push_back(read_[i]);
      } else if (replaced->second) {
        add_requirement(requirements, std::move(*replaced->second), findings_, phase_.id);
      }
    }
    check_wording(added_, findings_, phase_.id);
    for (Requirement& added : added_) {
      if (!add_requirement(requirements, std::move(added), findings_, phase_.id)) break;
    }
    give_up_names(requirements);
    check_aliases(requirements, findings_, phase_.id);
    gate.requirements = std::move(requirements);
    if (correction_.decision) leave_approval_to_the_person(gate);
    withdraw_weakness();
    gate.weak = false;
    gate.none = false;
    (void)add_checks(gate.checks, correction_.checks, report_);
    // A gate with an error stays as it is: shut.
    if (findings_.has_error_of(phase_.id) || !check_ties(gate, report_)) return;
    make_weak_if_open(gate, phase_.file, phase_.id, findings_);
  }

  /// A name that went to another requirement is no longer an alias of the one that had it.
  void give_up_names(std::vector<Requirement>& requirements) const {
    for (Requirement& requirement : requirements) {
      std::erase_if(requirement.aliases, [&](const std::string& alias) {
        return old_names_.contains(alias) &&
               std::any_of(requirements.begin(), requirements.end(), [&](const Requirement& other) {
                 return &other != &requirement && other.name == alias;
               });
      });
    }
  }

  Phase& phase_;
  const PhaseCorrection& correction_;
  NativeReport report_;
  FindingList& findings_;
  std::vector<Requirement> read_;
  bool nobody_decides_ = false;              ///< any more, by this correction
  std::map<std::size_t, Source> corrected_;  ///< where, by position among `read_`
  std::map<std::size_t, std::optional<Requirement>> replaced_;  ///< nullopt: dropped
  std::vector<Requirement> added_;
  std::set<std::string> old_names_;  ///< of what was renamed
};

}  // namespace

void correct_phase(Phase& phase, const PhaseCorrection& correction, const NativeReport& report) {
  PhaseCorrector(phase, correction, report.of_step(phase.id)).correct();
}

}  // namespace phasegate::phases
