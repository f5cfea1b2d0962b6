#include "app/cli/requirement_text.h"

namespace phasegate::app::cli {

std::vector<std::string> gate_marks(const phases::Gate& gate) {
  std::vector<std::string> marks;
  if (gate.none) {
    marks.emplace_back("asks for nothing (gate: none): it is passed with empty evidence");
  }
  if (gate.weak) {
    marks.emplace_back("weak gate: the documents require nothing here; a summary is asked for");
  }
  if (gate.human_approval) {
    marks.push_back("a person decides before it opens: the documents ask for approval (" +
                    phases::to_text(gate.human_approval_source) + ")");
  }
  if (gate.asks_leniency) {
    marks.emplace_back(
        "its file asks for leniency, which is not honoured unless the server runs with "
        "--gates as-written");
  }
  return marks;
}

std::string doubt_text(const phases::Requirement& requirement) {
  if (requirement.confidence == phases::Confidence::high) return "";
  return ", " + std::string(phases::to_text(requirement.kind)) + ", " +
         std::string(phases::to_text(requirement.confidence)) + " confidence";
}

}  // namespace phasegate::app::cli
