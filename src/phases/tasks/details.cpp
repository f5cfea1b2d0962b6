#include "phases/tasks/details.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "phases/gate_boxes.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

enum class Label { goal, estimate, dependencies, acceptance, other };

struct Labelled {
  Label label = Label::other;
  std::string_view value;
};

/// `Dependencies: Task 1.1` → dependencies, `Task 1.1`; nullopt for a line without a label.
std::optional<Labelled> labelled(std::string_view line) {
  constexpr std::array<std::pair<std::string_view, Label>, 24> kLabels = {{
      {"goal", Label::goal},
      {"goals", Label::goal},
      {"objective", Label::goal},
      {"purpose", Label::goal},
      {"estimated time", Label::estimate},
      {"estimated duration", Label::estimate},
      {"estimated effort", Label::estimate},
      {"time estimate", Label::estimate},
      {"estimate", Label::estimate},
      {"duration", Label::estimate},
      {"effort", Label::estimate},
      {"time", Label::estimate},
      {"timeline", Label::estimate},
      {"dependencies", Label::dependencies},
      {"dependency", Label::dependencies},
      {"depends on", Label::dependencies},
      {"blocked by", Label::dependencies},
      {"acceptance criteria", Label::acceptance},
      {"acceptance criterion", Label::acceptance},
      {"acceptance", Label::acceptance},
      {"success criteria", Label::acceptance},
      {"done when", Label::acceptance},
      {"definition of done", Label::acceptance},
      {"criteria", Label::acceptance},
  }};
  constexpr std::size_t kLabelBytesMax = 60;
  line = without_ornaments(line);
  const auto colon = line.substr(0, kLabelBytesMax).find(':');
  const std::string name =
      base::lowered(base::trimmed(line.substr(0, std::min(colon, kLabelBytesMax))));
  const bool has_colon = colon != std::string_view::npos;
  for (const auto& [word, label] : kLabels) {
    if (has_colon && name == word) return Labelled{label, base::trimmed(line.substr(colon + 1))};
    if (!has_colon && name == word && label == Label::acceptance) return Labelled{label, ""};
    if (!has_colon && word == "depends on" && name.starts_with("depends on ")) {
      return Labelled{label, base::trimmed(line.substr(word.size()))};
    }
  }
  // A short label of any other kind ends what stands above it.
  if (has_colon && line.substr(0, colon).find('.') == std::string_view::npos &&
      words_of(line.substr(0, colon)).size() <= 4) {
    return Labelled{Label::other, {}};
  }
  return std::nullopt;
}

class DetailReader {
 public:
  DetailReader(const MarkdownTree& tree, const Division& division,
               std::vector<ReadTasksPhase>& phases)
      : tree_(tree), division_(division), phases_(phases), after_(tree.blocks().size()) {
    const auto& blocks = tree.blocks();
    for (std::size_t i = blocks.size(); i-- > 0;) {
      after_[i] = std::max(after_[i], i + 1);
      if (i > 0) after_[blocks[i].parent] = std::max(after_[blocks[i].parent], after_[i]);
    }
    named_.resize(phases.size());
    for (std::size_t p = 0; p < phases.size(); ++p) named_[p].resize(phases[p].tasks.size() + 1);
  }

  std::vector<std::vector<std::vector<NamedDependency>>> read() {
    const auto& blocks = tree_.blocks();
    std::size_t stretch = 0;
    for (std::size_t i = 1; i < blocks.size(); ++i) {
      const Block& block = blocks[i];
      const bool boxed = block.kind == BlockKind::item && box_sentence(tree_, i).has_value();
      if (block.kind != BlockKind::paragraph && block.kind != BlockKind::heading && !boxed)
        continue;
      const int line = tree_.line(block);
      while (stretch + 1 < division_.stretches.size() &&
             division_.stretches[stretch + 1].line <= line) {
        ++stretch;
      }
      const LineOwner& owner = division_.stretches[stretch].owner;
      if (owner.phase < 0 || owner.gate) continue;
      phase_ = &phases_[static_cast<std::size_t>(owner.phase)];
      task_ = owner.task < 0 ? nullptr : &phase_->tasks[static_cast<std::size_t>(owner.task)];
      auto& of_phase = named_[static_cast<std::size_t>(owner.phase)];
      into_ =
          &of_phase[owner.task < 0 ? phase_->tasks.size() : static_cast<std::size_t>(owner.task)];
      if (boxed) {
        // Boxes of a task that names no criteria are its criteria, but for its own.
        if (task_ != nullptr && line >= task_->body_line) loose_criterion(i);
        continue;
      }
      leaf(i);
    }
    for (ReadTasksPhase& phase : phases_) {
      for (ReadTask& task : phase.tasks) settle(task);
    }
    return std::move(named_);
  }

 private:
  void leaf(std::size_t i) {
    const Block& block = tree_.blocks()[i];
    // What a criterion says is not about the task as a whole.
    if (task_ != nullptr && tree_.line(block) > task_->acceptance_span.line &&
        tree_.line(block) <= task_->acceptance_span.line_end) {
      return;
    }
    const bool heading = block.kind == BlockKind::heading;
    int line = tree_.line(block);
    std::string* open = nullptr;  // a goal may go on over several lines
    const auto lines = base::split(tree_.text(block), '\n');
    for (std::size_t k = 0; k < lines.size(); ++k, ++line) {
      const auto found = labelled(lines[k]);
      if (!found) {
        if (open != nullptr) *open += " " + std::string(base::trimmed(lines[k]));
        if (k == 0 && task_ != nullptr && line < task_->body_line) from_name(lines[k], line);
        continue;
      }
      open = nullptr;
      const std::string value(found->value);
      switch (found->label) {
        case Label::goal:
          if (task_ != nullptr || heading || value.empty() || !phase_->goal.empty()) break;
          phase_->goal = value;
          open = &phase_->goal;
          break;
        case Label::estimate: {
          std::string& estimate = task_ != nullptr ? task_->estimate : phase_->estimate;
          if (estimate.empty()) estimate = value;
          break;
        }
        case Label::dependencies: {
          if (task_ != nullptr && task_->dependencies_text.empty())
            task_->dependencies_text = value;
          auto named = named_dependencies(value, line);
          into_->insert(into_->end(), named.begin(), named.end());
          break;
        }
        case Label::acceptance:
          if (task_ == nullptr) break;
          if (!value.empty()) task_->acceptance.push_back({value, line});
          if (value.empty() && k + 1 == lines.size()) list_behind(i, line);
          break;
        case Label::other:
          break;
      }
    }
  }

  /// `… (depends on T012, T013)` in a task's name.
  void from_name(std::string_view name, int line) {
    const std::string lower = base::lowered(name);
    const auto at = lower.find("(depends on ");
    if (at == std::string::npos) return;
    const auto close = std::min(name.find(')', at), name.size());
    const std::string_view value = name.substr(at + 12, close - at - 12);
    if (task_->dependencies_text.empty()) task_->dependencies_text = std::string(value);
    auto named = named_dependencies(value, line);
    into_->insert(into_->end(), named.begin(), named.end());
  }

  /// The list that stands right behind a label.
  void list_behind(std::size_t label, int line) {
    const auto& blocks = tree_.blocks();
    const std::size_t list = after_[label];
    if (list >= blocks.size() || blocks[list].kind != BlockKind::list ||
        blocks[list].parent != blocks[label].parent || task_->acceptance_span.line != 0) {
      return;
    }
    const int last = tree_.line_end(blocks[list]);
    if (last > task_->span.line_end) return;
    task_->acceptance_span.line = line;
    task_->acceptance_span.line_end = last;
    for (std::size_t i = list + 1; i < after_[list]; i = after_[i]) {
      const std::string said = sentence(i);
      if (!said.empty()) task_->acceptance.push_back({said, tree_.line(blocks[i])});
    }
  }

  [[nodiscard]] std::string sentence(std::size_t item) const {
    if (const auto boxed = box_sentence(tree_, item)) return *boxed;
    const auto& blocks = tree_.blocks();
    const std::size_t first = item + 1;
    if (first >= blocks.size() || blocks[first].parent != item ||
        blocks[first].kind != BlockKind::paragraph) {
      return {};
    }
    return plain_sentence(tree_.text(blocks[first]));
  }

  void loose_criterion(std::size_t item) {
    loose_.push_back({task_, {sentence(item), tree_.line(tree_.blocks()[item])}});
  }

  void settle(ReadTask& task) {
    const bool labelled = !task.acceptance.empty();
    for (; next_loose_ < loose_.size() && loose_[next_loose_].first == &task; ++next_loose_) {
      if (!labelled && !loose_[next_loose_].second.text.empty()) {
        task.acceptance.push_back(loose_[next_loose_].second);
      }
    }
  }

  const MarkdownTree& tree_;
  const Division& division_;
  std::vector<ReadTasksPhase>& phases_;
  std::vector<std::size_t> after_;
  std::vector<std::vector<std::vector<NamedDependency>>> named_;
  std::vector<std::pair<ReadTask*, TaskCriterion>> loose_;  ///< in the order of tasks
  std::size_t next_loose_ = 0;
  ReadTasksPhase* phase_ = nullptr;
  ReadTask* task_ = nullptr;
  std::vector<NamedDependency>* into_ = nullptr;
};

}  // namespace

std::vector<std::vector<std::vector<NamedDependency>>> read_details(
    const MarkdownTree& tree, const Division& division, std::vector<ReadTasksPhase>& phases) {
  return DetailReader(tree, division, phases).read();
}

}  // namespace phasegate::phases
