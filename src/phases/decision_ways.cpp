#include "phases/decision_ways.h"

#include <algorithm>

#include "base/text.h"

namespace phasegate::phases {
namespace {

class WaysCheck {
 public:
  WaysCheck(const std::vector<Phase>& phases, const DecisionPlaces& places, FindingList& findings)
      : places_(places), findings_(findings) {
    for (const Phase& phase : phases) ids_.push_back(phase.id);
  }

  void look(const Phase& phase, std::size_t here) const {
    const DecisionDemand& demand = *phase.gate.decision;
    bool forward = false;
    bool known = true;
    for (std::size_t i = 0; i < demand.options.size(); ++i) {
      const DecisionOption& option = demand.options[i];
      if (option.effect != DecisionEffect::go_to) {
        forward = forward || option.effect == DecisionEffect::proceed ||
                  option.effect == DecisionEffect::completed;
        continue;
      }
      const auto there = std::find(ids_.begin(), ids_.end(), option.phase);
      if (there == ids_.end()) {
        refuse_unknown(phase, option, place_of(phase, i));
        known = false;
        continue;
      }
      forward = forward || static_cast<std::size_t>(there - ids_.begin()) > here;
    }
    if (forward || !known) return;
    findings_.error("no_way_forward",
                    "whatever is chosen in step " + base::in_quotes(phase.id) +
                        ", its gate stays shut: every option goes back or stops",
                    "add an option that goes on: {label: Approve}, with neither goto nor outcome",
                    demand.source, phase.id);
  }

 private:
  [[nodiscard]] Source place_of(const Phase& phase, std::size_t option) const {
    const auto places = places_.find(phase.id);
    const bool known = places != places_.end() && option < places->second.size();
    return known ? places->second[option] : phase.gate.decision->source;
  }

  void refuse_unknown(const Phase& phase, const DecisionOption& option, Source place) const {
    const auto nearest = base::nearest_name(option.phase, ids_);
    findings_.error("unknown_step",
                    "the option " + base::in_quotes(option.id) + " of step " +
                        base::in_quotes(phase.id) + " goes to " +
                        base::in_quotes(base::shortened(option.phase, 60)) +
                        ", and there is no such step",
                    nearest ? "did you mean " + *nearest + "?" : "", std::move(place), phase.id);
  }

  const DecisionPlaces& places_;
  FindingList& findings_;
  std::vector<std::string> ids_;
};

}  // namespace

void check_decision_ways(const std::vector<Phase>& phases, const DecisionPlaces& places,
                         FindingList& findings) {
  const WaysCheck check(phases, places, findings);
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (phases[i].gate.decision) check.look(phases[i], i);
  }
}

}  // namespace phasegate::phases
