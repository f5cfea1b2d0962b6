#include "phases/tasks/dependencies.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "phases/tasks/heads.h"

namespace phasegate::phases {
namespace {

constexpr std::size_t kTextBytesMax = 2000;
constexpr std::size_t kDependenciesMax = 200;

bool is_alnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A word with what glues its parts: `P1-T1`, `1.1`, `complete`.
std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (is_alnum(text[end]) || text[end] == '.')) ++end;
  // A dash belongs to a number such as `P1-T1`; between other numbers it is a range.
  if (end + 2 < text.size() && (text[at] == 'P' || text[at] == 'p') && at + 1 < end &&
      is_digit(text[at + 1]) && text[end] == '-' &&
      (text[end + 1] == 'T' || text[end + 1] == 't')) {
    ++end;
    while (end < text.size() && is_alnum(text[end])) ++end;
  }
  while (end > at && text[end - 1] == '.') --end;
  return text.substr(at, end - at);
}

/// Bytes of what makes two numbers a range: `-`, `–`, `to`, `through`; 0 if nothing does.
std::size_t range_mark(std::string_view text) {
  std::size_t at = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t blanks = at;
  for (const char* mark : {"-", "–", "—", "…", "..", "to ", "through "}) {
    const std::string_view word(mark);
    if (!text.substr(at).starts_with(word)) continue;
    if (is_alnum(word.front()) && blanks == 0) continue;
    at += word.size();
    return std::min(text.find_first_not_of(' ', at), text.size());
  }
  return 0;
}

}  // namespace

std::vector<NamedDependency> named_dependencies(std::string_view text, int line) {
  std::vector<NamedDependency> named;
  std::optional<bool> phase;  // what the last word said that numbers are of
  int depth = 0;
  text = text.substr(0, kTextBytesMax);
  for (std::size_t at = 0; at < text.size() && named.size() < kDependenciesMax;) {
    const char c = text[at];
    if (c == '(') ++depth;
    if (c == ')') depth = std::max(0, depth - 1);
    if (depth > 0 || !is_alnum(c)) {
      ++at;
      continue;
    }
    const std::string_view word = word_at(text, at);
    at += std::max<std::size_t>(word.size(), 1);
    const std::string lower = base::lowered(word);
    if (lower == "phase" || lower == "phases") {
      phase = true;
    } else if (lower == "task" || lower == "tasks") {
      phase = false;
    } else if (std::any_of(word.begin(), word.end(), is_digit)) {
      const auto head = task_head(word);
      const bool own_name = head && head->named;
      if (!own_name && !is_digit(word.front())) continue;
      NamedDependency one{phase.value_or(false) && !own_name, phase.has_value() || own_name,
                          std::string(word), "", line};
      if (const std::size_t mark = range_mark(text.substr(at)); mark > 0) {
        const std::string_view last = word_at(text, at + mark);
        if (!last.empty() && std::any_of(last.begin(), last.end(), is_digit)) {
          one.last = std::string(last);
          at += mark + last.size();
        }
      }
      named.push_back(std::move(one));
    } else if (lower != "and" && lower != "or") {
      phase.reset();
    }
  }
  return named;
}

namespace {

struct Place {
  std::size_t phase = 0;
  std::size_t task = 0;
};

class Resolver {
 public:
  Resolver(std::string_view path, std::vector<ReadTasksPhase>& phases, FindingList& findings)
      : path_(path), phases_(phases), findings_(findings) {
    for (std::size_t p = 0; p < phases.size(); ++p) {
      for (std::size_t t = 0; t < phases[p].tasks.size(); ++t) {
        const std::string number = base::lowered(phases[p].tasks[t].number);
        task_of_.emplace(number, order_.size());
        own_task_.emplace(std::pair(p, number), order_.size());
        order_.push_back({p, t});
      }
    }
  }

  void resolve(std::size_t phase, std::optional<std::size_t> task,
               const std::vector<NamedDependency>& named) {
    std::vector<TaskDependency> found;
    for (const NamedDependency& one : named) {
      if (one.phase) {
        find_phases(phase, task, one, found);
      } else {
        find_tasks(phase, task, one, found);
      }
    }
    if (task) {
      phases_[phase].tasks[*task].dependencies = std::move(found);
      return;
    }
    for (TaskDependency& one : found) {
      if (one.phase) phases_[phase].dependencies.push_back(std::move(one.number));
    }
  }

  /// Depth first, without recursion; each circle is told at the task that closes it.
  void report_circles() {
    enum class Seen : char { no, open, done };
    std::vector<Seen> seen(order_.size(), Seen::no);
    std::size_t circles = 0;
    for (std::size_t start = 0; start < order_.size(); ++start) {
      if (seen[start] != Seen::no) continue;
      std::vector<Step> path{{start, 0}};
      seen[start] = Seen::open;
      while (!path.empty()) {
        Step& here = path.back();
        const auto& needs = at(here.task).dependencies;
        if (here.next == needs.size()) {
          seen[here.task] = Seen::done;
          path.pop_back();
          continue;
        }
        const TaskDependency& need = needs[here.next++];
        if (need.phase) continue;
        const std::size_t to = find(order_[here.task].phase, need.number).value_or(here.task);
        if (seen[to] == Seen::open && circles < kCirclesMax) {
          ++circles;
          report_circle(path, to, need.line);
        } else if (seen[to] == Seen::no) {
          seen[to] = Seen::open;
          path.push_back({to, 0});
        }
      }
    }
  }

 private:
  static constexpr std::size_t kCirclesMax = 20;
  struct Step {
    std::size_t task = 0;  ///< position in order_
    std::size_t next = 0;  ///< its dependency to be looked at next
  };

  [[nodiscard]] const ReadTask& at(std::size_t position) const {
    const Place& place = order_[position];
    return phases_[place.phase].tasks[place.task];
  }

  [[nodiscard]] std::string who(std::size_t phase, std::optional<std::size_t> task) const {
    return task ? "task " + phases_[phase].tasks[*task].number : "phase " + phases_[phase].number;
  }

  void unknown(std::size_t phase, std::optional<std::size_t> task, const NamedDependency& one) {
    findings_.warning(
        "unknown_dependency",
        who(phase, task) + " waits for " + (one.phase ? "phase " : "task ") +
            base::in_quotes(base::shortened(one.number, 40)) + ", which this file does not list",
        "correct the number", {std::string(path_), one.line, 0}, phases_[phase].number);
  }

  void later(std::size_t phase, std::optional<std::size_t> task, const TaskDependency& one) {
    findings_.warning("later_dependency",
                      who(phase, task) + " waits for " + (one.phase ? "phase " : "task ") +
                          one.number + ", which comes later",
                      "phases are performed in their order; move one of the two",
                      {std::string(path_), one.line, 0}, phases_[phase].number);
  }

  static std::optional<int> as_number(std::string_view text) {
    if (text.empty() || text.size() > 9 || !std::all_of(text.begin(), text.end(), is_digit)) {
      return std::nullopt;
    }
    return std::stoi(std::string(text));
  }

  void find_phases(std::size_t phase, std::optional<std::size_t> task, const NamedDependency& one,
                   std::vector<TaskDependency>& found) {
    const auto from = as_number(one.number);
    const auto to = as_number(one.last);
    bool any = false;
    for (std::size_t p = 0; p < phases_.size(); ++p) {
      const auto number = as_number(phases_[p].number);
      const bool inside = from && to && number && *number >= *from && *number <= *to;
      if (!inside && phases_[p].number != one.number) continue;
      any = true;
      found.push_back({true, phases_[p].number, one.line});
      if (p >= phase) later(phase, task, found.back());
    }
    if (any || phases_.empty()) return;
    // Phases before the first one are the workflow's own.
    const auto first = as_number(phases_.front().number);
    if (from && first && *from < *first) return;
    unknown(phase, task, one);
  }

  void find_tasks(std::size_t phase, std::optional<std::size_t> task, const NamedDependency& one,
                  std::vector<TaskDependency>& found) {
    const auto first = find(phase, one.number);
    if (!first) {
      if (one.sure) unknown(phase, task, one);
      return;
    }
    std::size_t from = *first;
    std::size_t to = *first;
    if (!one.last.empty()) {
      const auto last = find(phase, one.last);
      if (last) {
        to = std::max(*last, from);
      } else if (one.sure) {
        unknown(phase, task, {false, true, one.last, "", one.line});
      }
    }
    for (std::size_t i = from; i <= to && found.size() < kDependenciesMax; ++i) {
      const Place place = order_[i];
      found.push_back({false, phases_[place.phase].tasks[place.task].number, one.line});
      if (place.phase > phase) later(phase, task, found.back());
    }
  }

  /// Position in the order of the document. A plain number is a task of the phase itself.
  [[nodiscard]] std::optional<std::size_t> find(std::size_t phase,
                                                const std::string& number) const {
    const std::string wanted = base::lowered(number);
    for (const std::string& name : {wanted, base::lowered(phases_[phase].number) + "." + wanted}) {
      const auto own = own_task_.find(std::pair(phase, name));
      if (own != own_task_.end()) return own->second;
      if (const auto known = task_of_.find(name); known != task_of_.end()) return known->second;
    }
    return std::nullopt;
  }

  void report_circle(const std::vector<Step>& path, std::size_t to, int line) {
    std::string round;
    bool inside = false;
    for (const Step& step : path) {
      inside = inside || step.task == to;
      if (inside) round += at(step.task).number + " → ";
    }
    findings_.warning("dependency_cycle",
                      "tasks wait for each other: " + base::shortened(round + at(to).number, 300),
                      "remove one of these dependencies", {std::string(path_), line, 0},
                      phases_[order_[to].phase].number);
  }

  std::string_view path_;
  std::vector<ReadTasksPhase>& phases_;
  FindingList& findings_;
  std::map<std::string, std::size_t> task_of_;  ///< positions in order_, by number
  std::map<std::pair<std::size_t, std::string>, std::size_t> own_task_;  ///< the same, by phase
  std::vector<Place> order_;
};

}  // namespace

void resolve_dependencies(const std::vector<std::vector<std::vector<NamedDependency>>>& named,
                          std::string_view path, std::vector<ReadTasksPhase>& phases,
                          FindingList& findings) {
  Resolver resolver(path, phases, findings);
  for (std::size_t p = 0; p < phases.size(); ++p) {
    const std::size_t tasks = phases[p].tasks.size();
    for (std::size_t t = 0; t < tasks; ++t) resolver.resolve(p, t, named[p][t]);
    resolver.resolve(p, std::nullopt, named[p][tasks]);
  }
  resolver.report_circles();
}

}  // namespace phasegate::phases
