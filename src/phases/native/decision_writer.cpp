#include "phases/native/decision_writer.h"

#include <vector>

#include "base/text.h"
#include "phases/checks/duration.h"
#include "phases/native/yaml_text.h"

namespace phasegate::phases {
namespace {

std::string quoted(const std::string& text) {
  return yaml_quoted(base::to_utf8(text));
}

std::string option_text(const DecisionOption& option,
                        const std::map<std::string, std::string>& ids) {
  std::string text = "{id: " + quoted(option.id) + ", label: " + quoted(option.label);
  if (option.effect == DecisionEffect::go_to) {
    const auto renamed = ids.find(option.phase);
    text += ", goto: " + quoted(renamed == ids.end() ? option.phase : renamed->second);
  } else if (option.effect != DecisionEffect::proceed) {
    text += ", outcome: " + std::string(to_text(option.effect));
  }
  if (option.input != DecisionInput::optional) {
    text += ", input: " + std::string(to_text(option.input));
  }
  return text + "}";
}

std::string approvers_text(const DecisionDemand& demand) {
  std::vector<std::string> members;
  if (!demand.role.empty()) members.push_back("role: " + quoted(demand.role));
  if (demand.count != 1) members.push_back("count: " + std::to_string(demand.count));
  if (demand.not_submitter) members.emplace_back("not_submitter: true");
  return base::joined(members, ", ");
}

}  // namespace

std::string native_decision(const DecisionDemand& demand, std::size_t indent,
                            const std::map<std::string, std::string>& ids) {
  const std::string margin(indent, ' ');
  std::string text = margin + "prompt: " + quoted(demand.prompt) + "\n";
  if (!demand.show.empty()) {
    std::vector<std::string> shown;
    for (const std::string& one : demand.show) shown.push_back(quoted(one));
    text += margin + "show: [" + base::joined(shown, ", ") + "]\n";
  }
  text += margin + "options:\n";
  for (const DecisionOption& option : demand.options) {
    text += margin + "  - " + option_text(option, ids) + "\n";
  }
  if (const std::string approvers = approvers_text(demand); !approvers.empty()) {
    text += margin + "approvers: {" + approvers + "}\n";
  }
  if (demand.channel != DecisionChannel::approver) {
    text += margin + "channel: " + std::string(to_text(demand.channel)) + "\n";
  }
  if (demand.remind_after_ms > 0) {
    text += margin + "remind_after: " + duration_text(demand.remind_after_ms) + "\n";
  }
  return text;
}

}  // namespace phasegate::phases
