#include "phases/native/decision_options.h"

#include <map>
#include <optional>

#include "base/limits.h"
#include "base/text.h"

namespace phasegate::phases {
namespace {

using Kind = YamlNode::Kind;
namespace limits = base::limits;

std::string shown(std::string_view text) {
  return base::in_quotes(base::shortened(text, 60));
}

/// A step's id as `goto` names it, also a whole number without quotes.
std::optional<std::string> step_named(const YamlNode& node) {
  if (node.kind != Kind::scalar || scalar_kind(node) == ScalarKind::boolean) return std::nullopt;
  if (scalar_kind(node) == ScalarKind::number &&
      node.scalar.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  return is_phase_id(node.scalar) ? std::optional(node.scalar) : std::nullopt;
}

class OptionsReader {
 public:
  OptionsReader(std::string what, const NativeReport& report, ReadDecision& read)
      : what_(std::move(what)), report_(report), read_(read) {}

  void read(const YamlNode& node) {
    if (node.kind != Kind::sequence || node.items.empty()) {
      return report_.wrong_type(
          "options of " + what_, "a list of options", node,
          "write - {label: Approve} below it, or leave options out for the standard ones: "
          "approve, rework, reject");
    }
    if (node.items.size() > limits::kDecisionOptionsMax) {
      return report_.error("too_many_options",
                           what_ + " has " + std::to_string(node.items.size()) +
                               " options, the limit is " +
                               std::to_string(limits::kDecisionOptionsMax),
                           "offer fewer", report_.at(node));
    }
    for (const YamlNode& item : node.items) {
      read_option(item, "option " + std::to_string(&item - node.items.data() + 1) + " of " + what_);
    }
  }

 private:
  void read_option(const YamlNode& item, const std::string& what) {
    if (item.kind != Kind::map) {
      return report_.wrong_type(
          what, "a map with a label", item,
          "write {label: Approve}, with goto: STEP or outcome: rejected where the "
          "run is not just to go on");
    }
    report_.refuse_other_keys(item, native_option_keys(), what);
    DecisionOption option;
    const YamlNode* label = item.find("label");
    if (label == nullptr) {
      return report_.error("missing_key", what + " has no label",
                           "write label: and what the person reads", report_.at(item));
    }
    const auto text = report_.shown_text(*label, "label of " + what);
    if (!text) return;
    if (is_blank(*text)) {
      return report_.error("empty_text", "label of " + what + " is empty",
                           "write what the person reads", report_.at(*label));
    }
    option.label = base::trimmed(*text);
    if (!read_option_id(item, *label, what, option)) return;
    const YamlNode* named = item.find("id");
    const YamlNode& place = named == nullptr ? *label : *named;
    if (const auto [first, is_new] = lines_.emplace(option.id, place.line); !is_new) {
      return report_.error("duplicate_option",
                           "the id " + shown(option.id) + " of " + what +
                               " is taken, first in line " + std::to_string(first->second),
                           "give each option an id: of its own", report_.at(place));
    }
    Source way = report_.at(item);
    read_way(item, what, option, way);
    if (const YamlNode* input = item.find("input")) {
      bool later = false;
      const auto word = report_.word(*input, native_option_inputs(), "input of " + what, later);
      if (word) option.input = *decision_input_from(*word);
    }
    read_.demand.options.push_back(std::move(option));
    read_.ways.push_back(std::move(way));
  }

  bool read_option_id(const YamlNode& item, const YamlNode& label, const std::string& what,
                      DecisionOption& option) {
    const YamlNode* id = item.find("id");
    if (id == nullptr) {
      option.id = option_id_from(option.label);
      if (!option.id.empty()) return true;
      report_.error("missing_key",
                    what + " needs an id: its label has no letters from a to z and no digits",
                    "write id: and a short name", report_.at(label));
      return false;
    }
    const auto written = report_.text(*id, "id of " + what);
    if (!written) return false;
    option.id = *written;
    if (is_option_id(option.id)) return true;
    const std::string like = option_id_from(option.id);
    report_.error(
        "invalid_id", "id of " + what + " is " + shown(option.id),
        "an id has lower-case letters and digits in parts joined by - or _, at most 64 bytes" +
            (like.empty() ? "" : ", such as " + like),
        report_.at(*id));
    return false;
  }

  void read_way(const YamlNode& item, const std::string& what, DecisionOption& option,
                Source& way) {
    const YamlNode* to = item.find("goto");
    const YamlNode* outcome = item.find("outcome");
    if (to != nullptr && outcome != nullptr) {
      return report_.error("contradicting_keys", what + " has goto and outcome",
                           "keep one: goto goes on at a step, outcome ends the run",
                           report_.at(*outcome));
    }
    if (to != nullptr) {
      way = report_.at(*to);
      const auto step = step_named(*to);
      if (!step) return report_.wrong_type("goto of " + what, "a step's id", *to);
      option.effect = DecisionEffect::go_to;
      option.phase = *step;
    } else if (outcome != nullptr) {
      way = report_.at(*outcome);
      bool later = false;
      const auto word = report_.word(*outcome, native_outcomes(), "outcome of " + what, later);
      if (word) option.effect = *decision_effect_from(*word);
    }
  }

  std::string what_;
  const NativeReport& report_;
  ReadDecision& read_;
  std::map<std::string, int> lines_;  ///< of the ids that are taken
};

}  // namespace

void read_decision_options(const YamlNode& node, const std::string& what,
                           const NativeReport& report, ReadDecision& read) {
  OptionsReader(what, report, read).read(node);
}

}  // namespace phasegate::phases
