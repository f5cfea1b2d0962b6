#pragma once
#include <optional>
#include <string>
#include <vector>

#include "phases/decision.h"
#include "phases/native/report.h"

/// How authors write down what a person decides (ARCHITECTURE §6; 001-21, 003-17). One reader for
/// every place that may ask: a step, a gate file, a file of corrections.
namespace phasegate::phases {

/// A decision as it was read, with the places that the model does not keep.
struct ReadDecision {
  DecisionDemand demand;
  std::vector<Source> ways;  ///< by option: where it says where it leads
};

/// Reads `decision:` of the phase `phase`: a map, or a text that is the prompt. Without options
/// they are the standard three. What is wrong is an error at its line and column: unknown keys and
/// words with the nearest known one, ids that are taken, what a client cannot prove, limits.
/// nullopt after an error. Whether steps and values exist that it names is not looked at here
/// (check_decision_ways; gating looks at `show`). `what` names it for findings. Linear.
[[nodiscard]] std::optional<ReadDecision> read_native_decision(const YamlNode& node,
                                                               const std::string& what,
                                                               const std::string& phase,
                                                               const NativeReport& report);

/// Reads the same keys where they stand in a step of `kind: decision`. `before`: the step before it
/// in which there is work, to which the standard options send back; empty: there is none.
[[nodiscard]] std::optional<ReadDecision> read_decision_step(const YamlNode& step,
                                                             const std::string& what,
                                                             const std::string& before,
                                                             const NativeReport& report);

/// Refuses the keys that the other kind of step has: work and evidence where a person only decides,
/// the members of a decision where there is work. True if there were none.
bool refuse_misplaced_keys(const YamlNode& step, bool by_person, const std::string& what,
                           const NativeReport& report);

/// `decision: none`: the author says that no person is asked.
[[nodiscard]] bool is_no_decision(const YamlNode& node);

}  // namespace phasegate::phases
