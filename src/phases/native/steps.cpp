#include "phases/native/steps.h"

#include <algorithm>
#include <map>

#include "base/limits.h"
#include "base/text.h"
#include "phases/checks/checks_reader.h"
#include "phases/decision_ways.h"
#include "phases/lint_checks.h"
#include "phases/native/decision.h"
#include "phases/native/evidence.h"

namespace phasegate::phases {
namespace {

using Kind = YamlNode::Kind;
namespace limits = base::limits;

constexpr std::size_t kIdBytesShown = 60;

std::string shown(const std::string& id) {
  return base::in_quotes(base::shortened(id, kIdBytesShown));
}

/// The id of a step: a text, or a whole number as it is written.
std::optional<std::string> id_of(const YamlNode& node) {
  if (node.kind != Kind::scalar || scalar_kind(node) == ScalarKind::boolean) return std::nullopt;
  if (scalar_kind(node) == ScalarKind::number &&
      node.scalar.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  return is_phase_id(node.scalar) ? std::optional(node.scalar) : std::nullopt;
}

class StepReader {
 public:
  /// `before`: the last step with work; empty: there is none.
  StepReader(const YamlNode& node, std::string before, const NativeReport& report,
             NativeTexts& texts)
      : node_(node), before_(std::move(before)), report_(report), texts_(texts) {}

  /// Where the options of its decision lead, once it was read.
  [[nodiscard]] const std::vector<Source>& ways() const { return ways_; }

  Phase read(const std::string& id) {
    phase_.id = id;
    phase_.source = report_.kept(node_.line);
    // What else is missing may be just what a later version does in this step.
    later_ = report_.refuse_other_keys(node_, native_step_keys(), what("step"));
    read_kind();
    const bool in_place = refuse_misplaced_keys(node_, phase_.by_person, what("step"), report_);
    if (!phase_.by_person) read_by();
    phase_.title = shown_text("title").value_or("");
    if (is_blank(phase_.title)) phase_.title = id;
    phase_.purpose = shown_text("purpose").value_or("");
    read_instructions();
    if (phase_.by_person) {
      read_gate_of_person();
    } else {
      read_tasks();
      read_decision();
      // A decision in the wrong place was meant to be the gate, or part of it.
      read_gate(in_place);
    }
    return std::move(phase_);
  }

 private:
  [[nodiscard]] std::string what(const std::string& thing) const {
    return thing + " " + shown(phase_.id);
  }
  [[nodiscard]] std::string of_step(const std::string& key) const {
    return key + " of " + what("step");
  }

  std::optional<std::string> shown_text(const char* key) {
    const YamlNode* node = node_.find(key);
    return node == nullptr ? std::nullopt : report_.shown_text(*node, of_step(key));
  }

  void read_kind() {
    if (const YamlNode* kind = node_.find("kind")) {
      const auto word = report_.word(*kind, native_kinds(), "kind", later_);
      phase_.by_person = word == "decision";
    }
  }

  void read_by() {
    const YamlNode* by = node_.find("by");
    if (by == nullptr) return;
    const auto performer = report_.text(*by, of_step("by"));
    if (!performer || *performer == "assistant") return;
    later_ = true;
    report_.not_supported_yet("by: " + base::shortened(*performer, kIdBytesShown), report_.at(*by));
  }

  void read_instructions() {
    const YamlNode* node = node_.find("instructions");
    if (node != nullptr) {
      const std::string path = report_.file() + "#" + phase_.id;
      phase_.file = texts_.read(*node, of_step("instructions"), path, report_).value_or("");
    } else if (!later_ && !phase_.by_person) {
      report_.error("missing_key", what("step") + " has no instructions",
                    "write instructions: and what the assistant is to do", report_.at(node_));
    }
  }

  void read_tasks() {
    const YamlNode* tasks = node_.find("tasks");
    if (tasks == nullptr || tasks->is_null()) return;
    if (tasks->kind != Kind::sequence) {
      return report_.wrong_type(of_step("tasks"), "a list of {name, instructions}", *tasks);
    }
    if (tasks->items.size() > limits::kTasksPerPhaseMax) {
      return report_.error("too_many_tasks",
                           what("step") + " has " + std::to_string(tasks->items.size()) +
                               " tasks, the limit is " + std::to_string(limits::kTasksPerPhaseMax),
                           "split the step", report_.at(*tasks));
    }
    for (const YamlNode& item : tasks->items) read_task(item);
  }

  void read_task(const YamlNode& item) {
    Task task;
    task.number = std::to_string(phase_.tasks.size() + 1);
    task.source = report_.kept(item.line);
    const std::string named = "task " + task.number + " of " + what("step");
    if (item.kind == Kind::map) {
      report_.refuse_other_keys(item, native_task_keys(), named);
      if (const YamlNode* name = item.find("name")) {
        task.name = report_.shown_text(*name, "the name of " + named).value_or("");
      } else {
        report_.error("missing_key", named + " has no name", "write name:", report_.at(item));
      }
      if (const YamlNode* text = item.find("instructions")) {
        const std::string path = report_.file() + "#" + phase_.id + "/" + task.number;
        task.file = texts_.read(*text, "instructions of " + named, path, report_).value_or("");
      } else {
        report_.error("missing_key", named + " has no instructions",
                      "write instructions:", report_.at(item));
      }
    } else {
      report_.wrong_type(named, "a map with name and instructions", item);
    }
    phase_.tasks.push_back(std::move(task));
  }

  void keep(std::optional<ReadDecision> read) {
    if (!read) return;
    phase_.gate.decision = std::move(read->demand);
    ways_ = std::move(read->ways);
  }

  void read_decision() {
    const YamlNode* decision = node_.find("decision");
    if (decision == nullptr) return;
    keep(read_native_decision(*decision, of_step("decision"), phase_.id, report_));
  }

  /// Nobody works in the step: what a person decides is all of its gate.
  void read_gate_of_person() {
    phase_.gate.source = phase_.source;
    keep(read_decision_step(node_, what("step"), before_, report_));
    if (const YamlNode* written = node_.find("gate")) {
      report_.error("contradicting_gate",
                    what("step") + " is of kind: decision, and only the decision opens its gate",
                    "remove gate", report_.at(*written));
    }
  }

  void read_gate(bool sound) {
    Gate& gate = phase_.gate;
    gate.source = phase_.source;
    if (gate.decision) gate.source = gate.decision->source;
    if (const YamlNode* evidence = node_.find("evidence")) {
      gate.source = report_.kept(evidence->line);
      gate.requirements = read_native_evidence(*evidence, report_, sound);
    }
    if (const YamlNode* checks = node_.find("checks")) {
      if (gate.requirements.empty()) gate.source = report_.kept(checks->line);
      ReadChecks read = read_checks(*checks, of_step("checks"), report_);
      gate.checks = std::move(read.checks);
      sound = sound && read.sound;
    }
    if (sound) (void)check_ties(gate, report_);
    const YamlNode* written = node_.find("gate");
    if (written != nullptr) {
      const auto word = report_.text(*written, of_step("gate"));
      gate.none = word && *word == "none";
      if (word && !gate.none) {
        report_.error(
            "unknown_value", of_step("gate") + " is " + shown(*word) + ", which is not known",
            "gate: none says that nothing is required; what is required stands in evidence and "
            "checks",
            report_.at(*written));
      }
    }
    const auto required =
        std::find_if(gate.requirements.begin(), gate.requirements.end(),
                     [](const Requirement& requirement) { return requirement.required; });
    if (gate.none && required != gate.requirements.end()) {
      report_.error("contradicting_gate",
                    what("step") + " says gate: none and requires " + shown(required->name) +
                        " at " + to_text(required->source),
                    "remove one of the two, or write required: false", report_.at(*written));
    } else if (gate.none && !gate.checks.empty()) {
      report_.error("contradicting_gate",
                    what("step") + " says gate: none and has checks, the first at " +
                        to_text(gate.checks.front().source),
                    "remove one of the two", report_.at(*written));
    }
    const bool empty = required == gate.requirements.end() && gate.checks.empty() &&
                       node_.find("decision") == nullptr;
    if (empty && written == nullptr && sound && !later_) {
      report_.error(
          "gate_requires_nothing",
          what("step") + (gate.requirements.empty() ? " asks for no evidence"
                                                    : " asks for optional evidence only"),
          "ask for evidence, write checks or a decision, or write gate: none if nothing is "
          "to be required",
          report_.at(node_));
    }
    advise(gate);
  }

  /// A true that nobody can look at opens the gate to whoever says it.
  void advise(const Gate& gate) const {
    if (looks_for_itself(gate) || gate.decision) return;
    bool demands = false;
    for (const Requirement& requirement : gate.requirements) {
      if (requirement.type != ValueType::boolean) return;
      demands = demands || requirement.required;
    }
    if (!demands) return;
    report_.findings().info(
        "only_booleans",
        what("step") + " is left on the assistant's word alone: all its evidence is true or false",
        "add checks that look for themselves (docs/checks.md), or ask for something that can be "
        "looked at as well: a path, a count, what a command printed",
        gate.source, phase_.id);
  }

  const YamlNode& node_;
  std::string before_;
  const NativeReport& report_;
  NativeTexts& texts_;
  Phase phase_;
  std::vector<Source> ways_;
  bool later_ = false;  ///< the step has a key or value of a later part
};

/// Checks `next` of every step: this part of the format goes from each step to the following one.
class NextCheck {
 public:
  NextCheck(const std::vector<const YamlNode*>& nodes, const std::vector<Phase>& phases,
            const NativeReport& report)
      : nodes_(nodes), phases_(phases), report_(report) {
    for (const Phase& phase : phases) ids_.push_back(phase.id);
  }

  void run() const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (const YamlNode* next = nodes_[i]->find("next")) check(*next, i);
    }
  }

 private:
  void check(const YamlNode& next, std::size_t index) const {
    const NativeReport report = report_.of_step(phases_[index].id);
    const bool last = index + 1 == nodes_.size();
    if (next.is_null()) {
      if (!last) report.not_supported_yet("next: null before the last step", report.at(next));
      return;
    }
    if (next.kind == Kind::sequence) {
      return report.not_supported_yet("next with several ways", report.at(next));
    }
    const std::string what = "next of step " + shown(phases_[index].id);
    const auto id = id_of(next);
    if (!id) return report.wrong_type(what, "a step's id, or null", next);
    if (!last && *id == ids_[index + 1]) return;
    if (std::find(ids_.begin(), ids_.end(), *id) != ids_.end()) {
      return report.not_supported_yet("next: " + *id + ", which is not the following step,",
                                      report.at(next));
    }
    const auto nearest = base::nearest_name(*id, ids_);
    report.error("unknown_step", what + " is " + shown(*id) + ", and there is no such step",
                 nearest ? "did you mean " + *nearest + "?" : "", report.at(next));
  }

  const std::vector<const YamlNode*>& nodes_;
  const std::vector<Phase>& phases_;
  const NativeReport& report_;
  std::vector<std::string> ids_;
};

/// The step's id; an error and nullopt if it has none, or one that is taken.
std::optional<std::string> read_id(const YamlNode& node, std::size_t number,
                                   std::map<std::string, int>& lines, const NativeReport& report) {
  const std::string what = "step " + std::to_string(number);
  const YamlNode* written = node.find("id");
  if (written == nullptr) {
    report.error("missing_key", what + " of the list has no id", "write id: and a short name",
                 report.at(node));
    return std::nullopt;
  }
  const auto id = id_of(*written);
  if (!id) {
    report.error("invalid_id", "the id of " + what + " is " + described(*written),
                 "an id is a text of letters and digits in parts joined by . - or _, at most " +
                     std::to_string(limits::kPhaseIdBytesMax) + " bytes",
                 report.at(*written));
    return std::nullopt;
  }
  const auto [first, is_new] = lines.emplace(*id, written->line);
  if (is_new) return id;
  report.error("duplicate_step",
               "the id " + shown(*id) + " is taken, first in line " + std::to_string(first->second),
               "give each step an id of its own", report.at(*written));
  return std::nullopt;
}

}  // namespace

std::vector<Phase> read_native_steps(const YamlNode& steps, const NativeReport& report,
                                     NativeTexts& texts) {
  std::vector<Phase> phases;
  if (steps.kind != Kind::sequence || steps.items.empty()) {
    report.wrong_type("steps", "a list with at least one step", steps);
    return phases;
  }
  if (steps.items.size() > limits::kPhasesMax) {
    report.error("too_many_steps",
                 "there are " + std::to_string(steps.items.size()) + " steps, the limit is " +
                     std::to_string(limits::kPhasesMax),
                 "split the workflow", report.at(steps));
    return phases;
  }
  std::map<std::string, int> lines;
  std::vector<const YamlNode*> nodes;
  DecisionPlaces places;
  std::string before;
  for (const YamlNode& item : steps.items) {
    const std::size_t number = static_cast<std::size_t>(&item - steps.items.data()) + 1;
    if (item.kind != Kind::map) {
      report.wrong_type("step " + std::to_string(number), "a map with id and instructions", item);
      continue;
    }
    const auto id = read_id(item, number, lines, report);
    if (!id) {
      // What else is wrong with it is said as well; the file is refused already.
      const std::string instead = "number-" + std::to_string(number);
      (void)StepReader(item, "", report.of_step(instead), texts).read(instead);
      continue;
    }
    const NativeReport of_step = report.of_step(*id);
    StepReader reader(item, before, of_step, texts);
    phases.push_back(reader.read(*id));
    places.emplace(*id, reader.ways());
    if (!phases.back().by_person) before = *id;
    nodes.push_back(&item);
  }
  // Without all ids nobody can tell which step follows which.
  if (nodes.size() == steps.items.size()) {
    NextCheck(nodes, phases, report).run();
    check_decision_ways(phases, places, report.findings());
  }
  return phases;
}

}  // namespace phasegate::phases
