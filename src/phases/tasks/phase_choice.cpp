#include "phases/tasks/phase_choice.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/text.h"

namespace phasegate::phases {
namespace {

/// What a chapter must hold to be a phase.
enum class Proof { numbered_tasks, boxes, nothing };

struct Candidate {
  std::size_t mark = 0;
  std::vector<std::string> tasks;  ///< numbers, or one entry per box
};

class Chooser {
 public:
  Chooser(const std::vector<TaskMark>& marks, std::string_view path, FindingList& findings)
      : marks_(marks), path_(path), findings_(findings) {}

  PhaseChoice choose() {
    PhaseChoice choice{std::vector<bool>(marks_.size()), std::vector<bool>(marks_.size())};
    const auto found = best();
    if (!found) return choice;
    settle(*found, choice);
    return choice;
  }

 private:
  struct Kind {
    PhaseFamily family;
    bool clear;
    int level;
    Proof proof;
  };

  [[nodiscard]] bool is_of(const TaskMark& mark, const Kind& kind) const {
    return mark.phase && mark.heads() && mark.level == kind.level && !mark.gate &&
           mark.phase->family == kind.family && (mark.phase->clear || !kind.clear) &&
           !(mark.aside && !mark.phase->clear);
  }

  /// True if a heading ends the chapter that a candidate of this kind has begun.
  [[nodiscard]] static bool ends(const TaskMark& mark, const Kind& kind) {
    if (mark.kind != TaskMark::Kind::heading) return false;
    return mark.level < kind.level || (mark.level == kind.level && !mark.task && !mark.gate);
  }

  [[nodiscard]] static bool proves(const TaskMark& mark, const std::string& phase, Proof proof) {
    if (proof == Proof::boxes) return mark.kind == TaskMark::Kind::item && mark.boxed && mark.top;
    if (!mark.task) return false;
    if (mark.kind == TaskMark::Kind::item || mark.task->named) return true;
    return mark.task->number.starts_with(phase + ".");
  }

  [[nodiscard]] std::vector<Candidate> candidates(const Kind& kind) const {
    std::vector<Candidate> all;
    bool open = false;
    bool in_gate = false;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      const TaskMark& mark = marks_[i];
      if (is_of(mark, kind)) {
        all.push_back({i, {}});
        open = true;
        in_gate = false;
        continue;
      }
      if (!open) continue;
      if (ends(mark, kind)) open = false;
      if (mark.heads() || mark.label) in_gate = mark.gate || (mark.aside && !mark.task);
      if (!open || (in_gate && !mark.heads())) continue;
      if (proves(mark, marks_[all.back().mark].phase->number, kind.proof)) {
        all.back().tasks.push_back(mark.task ? mark.task->number : std::string());
      }
    }
    return all;
  }

  [[nodiscard]] std::size_t score(const Kind& kind) const {
    std::set<std::string> numbers;
    for (const Candidate& candidate : candidates(kind)) {
      if (kind.proof == Proof::nothing || !candidate.tasks.empty()) {
        numbers.insert(marks_[candidate.mark].phase->number);
      }
    }
    return numbers.size();
  }

  [[nodiscard]] std::optional<Kind> best() const {
    std::set<int> levels;
    for (const TaskMark& mark : marks_) {
      if (mark.phase && mark.heads()) levels.insert(mark.level);
    }
    const auto best_level = [&](PhaseFamily family, bool clear, Proof proof) {
      std::optional<Kind> found;
      std::size_t most = 0;
      for (const int level : levels) {
        const Kind kind{family, clear, level, proof};
        const std::size_t got = score(kind);
        if (got <= most) continue;
        most = got;
        found = kind;
      }
      return found;
    };
    for (int family = 0; family < kPhaseFamilies; ++family) {
      for (const bool clear : {true, false}) {
        for (const Proof proof : {Proof::numbered_tasks, Proof::boxes}) {
          // Numbered chapters are phases only if their tasks carry their numbers.
          const auto is = static_cast<PhaseFamily>(family);
          if (is == PhaseFamily::bare && proof == Proof::boxes) continue;
          if (auto found = best_level(is, clear, proof)) return found;
        }
      }
    }
    return best_level(PhaseFamily::phase, true, Proof::nothing);
  }

  void settle(const Kind& kind, PhaseChoice& choice) {
    std::map<std::string, Candidate> chosen;
    std::vector<Candidate> all = candidates(kind);
    for (const Candidate& candidate : all) {
      const std::string& number = marks_[candidate.mark].phase->number;
      const auto known = chosen.find(number);
      if (known == chosen.end()) {
        chosen.emplace(number, candidate);
      } else if (known->second.tasks.empty() && !candidate.tasks.empty()) {
        known->second = candidate;
      }
    }
    for (const auto& [number, candidate] : chosen) choice.begins[candidate.mark] = true;
    for (const Candidate& candidate : all) {
      if (!choice.begins[candidate.mark]) report_second(candidate, chosen);
    }
    // `## Phase 2 Build` beside `## Phase 1: Hull`.
    for (const Candidate& candidate :
         candidates({kind.family, false, kind.level, Proof::numbered_tasks})) {
      const std::string& number = marks_[candidate.mark].phase->number;
      if (candidate.tasks.empty() || chosen.contains(number)) continue;
      choice.begins[candidate.mark] = true;
      chosen.emplace(number, candidate);
    }
    for (int level = 1; level <= 6; ++level) {
      if (level == kind.level) continue;
      const Kind other{kind.family, true, level, Proof::numbered_tasks};
      for (const Candidate& candidate : candidates(other)) {
        const std::string& number = marks_[candidate.mark].phase->number;
        if (candidate.tasks.empty() || chosen.contains(number)) continue;
        choice.may_begin[candidate.mark] = true;
        chosen.emplace(number, candidate);
      }
    }
  }

  void report_second(const Candidate& second, const std::map<std::string, Candidate>& chosen) {
    const TaskMark& mark = marks_[second.mark];
    const Candidate& first = chosen.at(mark.phase->number);
    const int first_line = marks_[first.mark].line;
    const std::set<std::string> known(first.tasks.begin(), first.tasks.end());
    const bool more = std::any_of(second.tasks.begin(), second.tasks.end(),
                                  [&](const std::string& task) { return !known.contains(task); });
    const Source source{std::string(path_), mark.line, 0};
    if (more) {
      findings_.error("duplicate_phase",
                      "phase " + mark.phase->number + " begins at line " +
                          std::to_string(first_line) + " and again here, with other tasks",
                      "give each phase its own number", source, mark.phase->number);
    } else {
      findings_.info("repeated_phase",
                     "phase " + mark.phase->number + " is named again; it is what begins at line " +
                         std::to_string(first_line),
                     "", source, mark.phase->number);
    }
  }

  const std::vector<TaskMark>& marks_;
  std::string_view path_;
  FindingList& findings_;
};

}  // namespace

PhaseChoice choose_phases(const std::vector<TaskMark>& marks, std::string_view path,
                          FindingList& findings) {
  return Chooser(marks, path, findings).choose();
}

}  // namespace phasegate::phases
