#include "phases/decision_words.h"

#include "base/text.h"

namespace phasegate::phases {
namespace {

std::string way_in_words(const DecisionOption& option, const std::vector<Phase>& phases,
                         const std::string& here) {
  switch (option.effect) {
    case DecisionEffect::proceed:
      return "goes on";
    case DecisionEffect::completed:
      return "opens the gate and completes the session";
    case DecisionEffect::rejected:
    case DecisionEffect::cancelled:
      return "ends the session: " + std::string(to_text(option.effect));
    case DecisionEffect::go_to:
      break;
  }
  if (option.phase == here) return "sends this phase back";
  for (const Phase& phase : phases) {
    if (phase.id == option.phase) return "goes back to phase " + option.phase;
    if (phase.id == here) break;
  }
  return "goes on at phase " + option.phase;
}

}  // namespace

std::string deciders_in_words(const DecisionDemand& demand) {
  std::string words = demand.count > 1      ? std::to_string(demand.count) + " approvers"
                      : demand.role.empty() ? "any approver"
                                            : "an approver";
  if (!demand.role.empty()) words += " with the role " + base::in_quotes(demand.role);
  if (demand.not_submitter) {
    words += demand.count > 1 ? ", none of whom handed the evidence over"
                              : " who did not hand the evidence over";
  }
  if (demand.channel == DecisionChannel::client) {
    words +=
        ", or whoever answers in the assistant's client, which proves nothing: the outcome is "
        "partial then";
  }
  return words;
}

std::string option_in_words(const DecisionOption& option, const std::vector<Phase>& phases,
                            const std::string& here) {
  std::string words = way_in_words(option, phases, here);
  if (option.input == DecisionInput::required) words += ", and the person must say something";
  if (option.input == DecisionInput::none) words += ", without a word";
  return words;
}

}  // namespace phasegate::phases
