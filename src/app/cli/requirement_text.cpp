#include "app/cli/requirement_text.h"

#include "app/cli/text.h"
#include "base/text.h"
#include "phases/checks/duration.h"
#include "phases/decision_words.h"

namespace phasegate::app::cli {

std::vector<std::string> gate_marks(const phases::Gate& gate) {
  std::vector<std::string> marks;
  if (gate.none) {
    marks.emplace_back(gate.decision
                           ? "asks for no evidence (gate: none), only for a person's decision"
                           : "asks for nothing (gate: none): it is passed with empty evidence");
  }
  if (gate.weak) {
    marks.emplace_back("weak gate: the documents require nothing here; a summary is asked for");
  }
  if (gate.asks_leniency) {
    marks.emplace_back(
        "its file asks for leniency, which is not honoured unless the server runs with "
        "--gates as-written");
  }
  return marks;
}

std::string decision_mark(const phases::Phase& phase) {
  const auto demand = phases::decision_demand(phase);
  if (!demand) return "";
  return "a person decides (" + phases::to_text(demand->source) + "; " +
         phases::deciders_in_words(*demand) + "): " + demand->prompt;
}

std::vector<std::pair<std::string, std::string>> decision_entries(const phases::Workflow& workflow,
                                                                  const phases::Phase& phase) {
  std::vector<std::pair<std::string, std::string>> entries;
  const auto demand = phases::decision_demand(phase);
  if (!demand) return entries;
  for (const phases::DecisionOption& option : demand->options) {
    entries.emplace_back(option.id, shown_value(option.label) + " – " +
                                        phases::option_in_words(option, workflow.phases, phase.id));
  }
  if (!demand->show.empty()) {
    entries.emplace_back("(shown)", shown_value(base::joined(demand->show, ", ")));
  }
  if (demand->remind_after_ms > 0) {
    entries.emplace_back("(reminder)", "after " + phases::duration_text(demand->remind_after_ms));
  }
  return entries;
}

std::string doubt_text(const phases::Requirement& requirement) {
  if (requirement.confidence == phases::Confidence::high) return "";
  return ", " + std::string(phases::to_text(requirement.kind)) + ", " +
         std::string(phases::to_text(requirement.confidence)) + " confidence";
}

}  // namespace phasegate::app::cli
