#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phases/source.h"

/// What a workflow asks of a person (ARCHITECTURE §6; 001-21, 003-17).
namespace phasegate::phases {

struct Phase;

/// What choosing an option does to the run.
enum class DecisionEffect {
  proceed,    ///< the gate opens, and the run goes on as it would without a decision
  go_to,      ///< the run goes on at a named phase; at this one or an earlier one, it is rework
  completed,  ///< the gate opens, and the run ends there
  rejected,   ///< the run ends; the gate stays shut
  cancelled,  ///< the same, without a judgement on the work
};
[[nodiscard]] std::string_view to_text(DecisionEffect effect);
[[nodiscard]] std::optional<DecisionEffect> decision_effect_from(std::string_view text);

/// Whether a person who chooses an option says something with it.
enum class DecisionInput { none, optional, required };
[[nodiscard]] std::string_view to_text(DecisionInput input);
[[nodiscard]] std::optional<DecisionInput> decision_input_from(std::string_view text);

struct DecisionOption {
  std::string id;     ///< unique within its demand: `approve`, `request-more-improvements`
  std::string label;  ///< as the person reads it
  DecisionEffect effect = DecisionEffect::proceed;
  std::string phase;  ///< of go_to only
  DecisionInput input = DecisionInput::optional;

  friend bool operator==(const DecisionOption&, const DecisionOption&) = default;
};

/// Through whom a decision is accepted.
enum class DecisionChannel {
  approver,  ///< only from somebody whose secret was given
  client,    ///< also from the assistant's own client, which proves nothing: the outcome is partial
};
[[nodiscard]] std::string_view to_text(DecisionChannel channel);
[[nodiscard]] std::optional<DecisionChannel> decision_channel_from(std::string_view text);

/// A choice that a person makes before a phase is left.
struct DecisionDemand {
  std::string prompt;
  /// Expressions whose values the person is shown (003-17 `context`); empty: the evidence.
  std::vector<std::string> show;
  std::vector<DecisionOption> options;  ///< at least one
  std::string role;                     ///< approvers must have it; empty: any approver
  int count = 1;                        ///< how many approvers must choose the same way forward
  bool not_submitter = false;           ///< who handed the evidence over may not decide
  DecisionChannel channel = DecisionChannel::approver;
  std::int64_t remind_after_ms = 0;  ///< 0: nobody is reminded
  Source source;

  friend bool operator==(const DecisionDemand&, const DecisionDemand&) = default;

  [[nodiscard]] const DecisionOption* find_option(std::string_view id) const;
};

/// What is asked where a document says that a person approves, and no more than that: approve, send
/// back with a reason, or reject and stop.
[[nodiscard]] DecisionDemand standard_decision(std::string prompt, std::string_view phase,
                                               Source source);

/// What leaving the phase demands of a person: what its author wrote, the standard decision where a
/// document asks for approval, or nothing.
[[nodiscard]] std::optional<DecisionDemand> decision_demand(const Phase& phase);

/// True if an answer through the assistant's client counts: the author says so, and says nothing of
/// who decides, which could not be told of somebody who proves nothing.
[[nodiscard]] bool client_may_decide(const DecisionDemand& demand);

/// True if leaving the phase demands something of a person. O(1).
[[nodiscard]] bool asks_a_person(const Phase& phase);

/// True for an id as options have them: lower-case letters and digits in parts that `-` or `_`
/// joins, at most 64 bytes.
[[nodiscard]] bool is_option_id(std::string_view id);

/// The id of an option that has only a label: `Approve and finalize` → `approve-and-finalize`.
/// Empty for a label without Latin letters or digits, which then needs an id of its own.
[[nodiscard]] std::string option_id_from(std::string_view label);

}  // namespace phasegate::phases
