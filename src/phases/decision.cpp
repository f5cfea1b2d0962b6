#include "phases/decision.h"

#include <algorithm>
#include <array>
#include <utility>

#include "phases/workflow.h"

namespace phasegate::phases {
namespace {

constexpr std::size_t kOptionIdBytesMax = 64;

template <typename Enum, std::size_t N>
using Words = std::array<std::pair<Enum, std::string_view>, N>;

constexpr Words<DecisionEffect, 5> kEffects{{{DecisionEffect::proceed, "proceed"},
                                             {DecisionEffect::go_to, "goto"},
                                             {DecisionEffect::completed, "completed"},
                                             {DecisionEffect::rejected, "rejected"},
                                             {DecisionEffect::cancelled, "cancelled"}}};
constexpr Words<DecisionInput, 3> kInputs{{{DecisionInput::none, "none"},
                                           {DecisionInput::optional, "optional"},
                                           {DecisionInput::required, "required"}}};
constexpr Words<DecisionChannel, 2> kChannels{
    {{DecisionChannel::approver, "approver"}, {DecisionChannel::client, "client"}}};

template <typename Enum, std::size_t N>
std::string_view word_of(const Words<Enum, N>& words, Enum wanted) {
  for (const auto& [value, word] : words) {
    if (value == wanted) return word;
  }
  return words.front().second;
}

template <typename Enum, std::size_t N>
std::optional<Enum> value_of(const Words<Enum, N>& words, std::string_view wanted) {
  for (const auto& [value, word] : words) {
    if (word == wanted) return value;
  }
  return std::nullopt;
}

bool is_id_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

}  // namespace

std::string_view to_text(DecisionEffect effect) {
  return word_of(kEffects, effect);
}
std::optional<DecisionEffect> decision_effect_from(std::string_view text) {
  return value_of(kEffects, text);
}
std::string_view to_text(DecisionInput input) {
  return word_of(kInputs, input);
}
std::optional<DecisionInput> decision_input_from(std::string_view text) {
  return value_of(kInputs, text);
}
std::string_view to_text(DecisionChannel channel) {
  return word_of(kChannels, channel);
}
std::optional<DecisionChannel> decision_channel_from(std::string_view text) {
  return value_of(kChannels, text);
}

const DecisionOption* DecisionDemand::find_option(std::string_view id) const {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const DecisionOption& option) { return option.id == id; });
  return found == options.end() ? nullptr : &*found;
}

DecisionDemand standard_decision(std::string prompt, std::string_view phase, Source source) {
  DecisionDemand demand;
  demand.prompt = std::move(prompt);
  demand.options = {
      {"approve", "Approve", DecisionEffect::proceed, "", DecisionInput::optional},
      {"rework", "Send back, and say what is to be done", DecisionEffect::go_to, std::string(phase),
       DecisionInput::required},
      {"reject", "Reject and stop", DecisionEffect::rejected, "", DecisionInput::optional}};
  demand.source = std::move(source);
  return demand;
}

std::optional<DecisionDemand> decision_demand(const Phase& phase) {
  if (phase.gate.decision) return phase.gate.decision;
  if (!phase.gate.human_approval) return std::nullopt;
  std::string prompt = "Is phase " + phase.id;
  if (!phase.title.empty()) prompt += " (" + phase.title + ")";
  return standard_decision(prompt + " done as it should be?", phase.id,
                           phase.gate.human_approval_source);
}

bool client_may_decide(const DecisionDemand& demand) {
  return demand.channel == DecisionChannel::client && demand.role.empty() &&
         !demand.not_submitter && demand.count == 1;
}

bool asks_a_person(const Phase& phase) {
  return phase.gate.decision.has_value() || phase.gate.human_approval;
}

bool is_option_id(std::string_view id) {
  if (id.empty() || id.size() > kOptionIdBytesMax) return false;
  bool joins = true;
  for (const char c : id) {
    if (c == '-' || c == '_') {
      if (joins) return false;
      joins = true;
    } else if (is_id_character(c)) {
      joins = false;
    } else {
      return false;
    }
  }
  return !joins;
}

std::string option_id_from(std::string_view label) {
  std::string id;
  for (const char c : label) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (is_id_character(lower)) {
      id += lower;
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
    if (id.size() >= kOptionIdBytesMax) break;
  }
  while (!id.empty() && id.back() == '-') id.pop_back();
  return id;
}

}  // namespace phasegate::phases
