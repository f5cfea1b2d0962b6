#include "gating/repin.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/transition_parts.h"

namespace phasegate::gating {
namespace {

using phases::Phase;
using phases::Requirement;
using phases::Workflow;

Requirement without_place(Requirement requirement) {
  requirement.source = {};
  return requirement;
}

/// A gate as it is judged: where its lines stand is no part of it.
phases::Gate without_places(phases::Gate gate) {
  gate.source = {};
  gate.human_approval_source = {};
  if (gate.decision) gate.decision->source = {};
  for (Requirement& requirement : gate.requirements) requirement.source = {};
  for (phases::Check& check : gate.checks) check.source = {};
  return gate;
}

std::string hash_of(const Workflow& workflow, const std::string& path) {
  const auto found = workflow.documents.find(path);
  return found == workflow.documents.end() ? std::string() : found->second.hash;
}

/// Everything that an assistant can be given of a phase, by content.
struct PhaseTexts {
  std::string own;
  std::vector<std::vector<std::string>> tasks;  ///< number, name and hash of each
  std::vector<std::string> others;              ///< hashes of the other files of the phase

  friend bool operator==(const PhaseTexts&, const PhaseTexts&) = default;
};

std::map<std::string, PhaseTexts> texts_of(const Workflow& workflow) {
  std::map<std::string, PhaseTexts> texts;
  std::set<std::string> named;
  for (const Phase& phase : workflow.phases) {
    PhaseTexts& of_phase = texts[phase.id];
    of_phase.own = hash_of(workflow, phase.file);
    named.insert(phase.file);
    for (const phases::Task& task : phase.tasks) {
      of_phase.tasks.push_back({task.number, task.name, hash_of(workflow, task.file)});
      named.insert(task.file);
    }
  }
  for (const auto& [path, document] : workflow.documents) {
    if (document.phase.empty() || document.withheld || named.contains(path)) continue;
    texts[document.phase].others.push_back(document.hash);
  }
  for (auto& [id, of_phase] : texts) std::sort(of_phase.others.begin(), of_phase.others.end());
  return texts;
}

std::vector<std::string> shared_of(const Workflow& workflow) {
  std::vector<std::string> shared;
  for (const auto& [path, document] : workflow.documents) {
    if (document.phase.empty() && !document.withheld) shared.push_back(path + document.hash);
  }
  return shared;
}

void compare_requirements(const phases::Gate& before, const phases::Gate& after,
                          PhaseChange& change) {
  std::map<std::string, Requirement> old_ones;
  for (const Requirement& one : before.requirements) old_ones.emplace(one.name, one);
  for (const Requirement& one : after.requirements) {
    const auto old_one = old_ones.find(one.name);
    if (old_one == old_ones.end()) {
      change.requirements_added.push_back(one.name);
      continue;
    }
    if (without_place(old_one->second) != without_place(one)) {
      change.requirements_changed.push_back(one.name);
    }
    old_ones.erase(old_one);
  }
  for (const auto& [name, one] : old_ones) change.requirements_removed.push_back(name);
}

Refusal refusal_of(std::string reason, std::string action) {
  Refusal refusal;
  refusal.kind = RefusalKind::repin_refused;
  refusal.message = "The session cannot go over to the changed workflow";
  refusal.reason = std::move(reason);
  refusal.required_action = std::move(action);
  return refusal;
}

constexpr const char* kGoOn =
    "Go on with the session as it is, or cancel it and start a new one from the changed workflow";

class Comparison {
 public:
  Comparison(const Definition& before, const Definition& after, const RunState& run)
      : before_(before.workflow),
        after_(after.workflow),
        input_(after.input),
        run_(run),
        old_texts_(texts_of(before_)),
        new_texts_(texts_of(after_)) {
    difference_.same = before.hash == after.hash;
  }

  RepinDifference compare() {
    for (const AcceptedPhase& accepted : run_.accepted) {
      auto& kept = difference_.kept;
      if (std::find(kept.begin(), kept.end(), accepted.phase) == kept.end()) {
        kept.push_back(accepted.phase);
      }
    }
    list_changes();
    difference_.shared_changed = shared_of(before_) != shared_of(after_);
    difference_.refusal = why_not();
    return std::move(difference_);
  }

 private:
  [[nodiscard]] PhaseChange changed(const Phase& before, const Phase& after) {
    PhaseChange change;
    change.phase = after.id;
    change.title = after.title;
    change.is_open = is_open(run_.status) && after.id == run_.current_phase;
    change.title_changed = before.title != after.title || before.purpose != after.purpose;
    change.text_changed = old_texts_[before.id] != new_texts_[after.id];
    change.gate_changed = without_places(before.gate) != without_places(after.gate) ||
                          before.by_person != after.by_person;
    compare_requirements(before.gate, after.gate, change);
    return change;
  }

  void list_changes() {
    std::vector<std::string> order;
    for (const Phase& after : after_.phases) {
      const Phase* before = before_.find_phase(after.id);
      if (before == nullptr) {
        PhaseChange added;
        added.kind = PhaseChange::Kind::added;
        added.phase = after.id;
        added.title = after.title;
        for (const Requirement& one : after.gate.requirements) {
          added.requirements_added.push_back(one.name);
        }
        difference_.changes.push_back(std::move(added));
        continue;
      }
      order.push_back(after.id);
      PhaseChange change = changed(*before, after);
      if (change.title_changed || change.text_changed || change.gate_changed) {
        difference_.changes.push_back(std::move(change));
      }
    }
    std::vector<std::string> old_order;
    for (const Phase& before : before_.phases) {
      if (after_.find_phase(before.id) != nullptr) {
        old_order.push_back(before.id);
        continue;
      }
      PhaseChange removed;
      removed.kind = PhaseChange::Kind::removed;
      removed.phase = before.id;
      removed.title = before.title;
      removed.is_open = is_open(run_.status) && before.id == run_.current_phase;
      difference_.changes.push_back(std::move(removed));
    }
    difference_.order_changed = order != old_order;
  }

  [[nodiscard]] std::optional<Refusal> why_not() const {
    if (!is_open(run_.status)) {
      return refusal_of("The session has ended: " + std::string(to_text(run_.status)),
                        "Start a new session; this one stays as it is");
    }
    if (before_.dynamic || after_.dynamic || run_.waiting.code == "dynamic_unsupported") {
      return refusal_of("Its phases come from a document that was read when it was started", kGoOn);
    }
    if (before_.id != after_.id) {
      return refusal_of("The changed workflow is " + after_.id + ", the session's is " + before_.id,
                        kGoOn);
    }
    const auto open = before_.phase_index(run_.current_phase);
    if (!open) {
      return refusal_of("Phase " + run_.current_phase + " is no part of its pinned workflow",
                        "Ask a person to run: phasegate doctor");
    }
    if (after_.find_phase(run_.current_phase) == nullptr) {
      return refusal_of(
          "The changed workflow has no phase " + run_.current_phase + ", in which the session is",
          kGoOn);
    }
    if (auto refusal = completed_part(*open)) return refusal;
    const bool by_person = before_.phases[*open].by_person;
    if (by_person != after_.find_phase(run_.current_phase)->by_person) {
      return refusal_of("Phase " + run_.current_phase + ", in which the session is, is " +
                            (by_person ? "a person's decision, and work in the changed workflow"
                                       : "work, and a person's decision in the changed workflow"),
                        kGoOn);
    }
    return input_refusal();
  }

  /// The phases up to the open one: the same ones in the same places, and those behind us
  /// unchanged.
  [[nodiscard]] std::optional<Refusal> completed_part(std::size_t open) const {
    for (std::size_t i = 0; i <= open; ++i) {
      const std::string& wanted = before_.phases[i].id;
      const std::string got = i < after_.phases.size() ? after_.phases[i].id : "";
      if (wanted == got) continue;
      return refusal_of("The changed workflow has " + (got.empty() ? "no phase" : "phase " + got) +
                            " where the session " +
                            (i == open ? "is in phase " : "has completed phase ") + wanted,
                        kGoOn);
    }
    for (const PhaseChange& change : difference_.changes) {
      const bool completed =
          run_.find_accepted(change.phase) != nullptr && change.phase != run_.current_phase;
      const auto index = before_.phase_index(change.phase);
      if (!completed && (!index || *index >= open)) continue;
      if (!change.text_changed && !change.gate_changed) continue;
      return refusal_of("Phase " + change.phase +
                            ", which the session has completed, has another " +
                            (change.gate_changed ? "gate" : "text") + " in the changed workflow",
                        kGoOn);
    }
    return std::nullopt;
  }

  /// A start is judged by what the workflow wanted then; one that wants more now was never given
  /// it.
  [[nodiscard]] std::optional<Refusal> input_refusal() const {
    if (after_.input.empty() || !input_) return std::nullopt;
    const auto input = base::parse_json(
        run_.input, {base::limits::kMessageBytesMax, base::limits::kMessageDepthMax});
    const bool enough =
        input.ok() &&
        input_->judge(input->is_null() ? base::Json::object() : *input).problems.empty();
    if (enough) return std::nullopt;
    return refusal_of("The changed workflow wants inputs that the session was not started with",
                      kGoOn);
  }

  const Workflow& before_;
  const Workflow& after_;
  const std::optional<EvidenceGate>& input_;
  const RunState& run_;
  std::map<std::string, PhaseTexts> old_texts_;
  std::map<std::string, PhaseTexts> new_texts_;
  RepinDifference difference_;
};

}  // namespace

RepinDifference repin_difference(const Definition& old_definition, const Definition& new_definition,
                                 const RunState& run) {
  return Comparison(old_definition, new_definition, run).compare();
}

Transition repinned(const Definition& definition, const RunState& run, const Repin& command,
                    base::TimePoint now) {
  Transition out;
  out.reply.phase = run.current_phase;
  RepinDifference difference = repin_difference(definition, *command.definition, run);
  if (!difference.refusal && difference.same) {
    difference.refusal =
        refusal_of("It is pinned to the workflow as it is now already", "Nothing needs to be done");
  }
  if (difference.refusal) {
    out.reply.refusal = std::move(difference.refusal);
    return out;
  }
  RunState next = run;
  ++next.version;
  next.updated_at = now;
  next.definition_hash = command.definition->hash;
  // Trust in the workflow as it was is not trust in what this one runs.
  next.trust.clear();
  ++next.repins;
  // What was found missing, what people were asked and what they said spoke of the gate as it was.
  next.missing.clear();
  next.pending.reset();
  next.verified.reset();
  const phases::Phase& phase = *command.definition->workflow.find_phase(next.current_phase);
  if (!phase.by_person) {
    next.decision.reset();
  } else if (next.decision) {
    next.decision->answers.clear();
  }
  next.status = RunStatus::active;
  next.waiting = {};
  settle_waiting(*command.definition, next);
  JournalEntry line;
  line.kind = "run_repinned";
  line.phase = next.current_phase;
  line.visit = next.visit;
  line.attempt = next.attempts;
  line.actor = command.actor;
  line.data = base::dump({{"from", run.definition_hash}, {"to", next.definition_hash}});
  line.at = now;
  out.journal.push_back(std::move(line));
  out.reply.kind = Reply::Kind::repinned;
  out.next = std::move(next);
  return out;
}

}  // namespace phasegate::gating
