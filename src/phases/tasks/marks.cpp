#include "phases/tasks/marks.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "phases/gate_boxes.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

constexpr std::size_t kLabelBytesMax = 120;

bool is_emphasised(const Block& block, std::string_view text) {
  return block.begin > 0 && (text[block.begin - 1] == '*' || text[block.begin - 1] == '_');
}

/// What follows such a title is no work to be done.
bool is_aside(std::string_view title) {
  constexpr std::array<std::string_view, 22> kWords = {
      "acceptance", "success",    "criteria",     "criterion",  "deliverable",  "deliverables",
      "goal",       "goals",      "objective",    "objectives", "prerequisite", "prerequisites",
      "risk",       "risks",      "dependencies", "notes",      "note",         "evidence",
      "references", "validation", "verification", "rollback"};
  const auto words = words_of(title.substr(0, kLabelBytesMax));
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
  });
}

/// `3` of `3. …` or `3) …`, read backwards from what the item says.
std::optional<std::string> ordinal_of(const Block& item, std::string_view text) {
  std::size_t at = item.begin;
  const auto back_over = [&](std::string_view set) {
    while (at > 0 && set.find(text[at - 1]) != std::string_view::npos) --at;
  };
  back_over("*_`[");
  back_over(" \t");
  if (at == 0 || (text[at - 1] != '.' && text[at - 1] != ')')) return std::nullopt;
  const std::size_t end = --at;
  back_over("0123456789");
  constexpr std::size_t kDigitsMax = 9;
  if (at == end || end - at > kDigitsMax) return std::nullopt;
  return std::string(text.substr(at, end - at));
}

class MarkFinder {
 public:
  MarkFinder(const MarkdownTree& tree, std::string_view text) : tree_(tree), text_(text) {}

  std::vector<TaskMark> find() {
    const auto& blocks = tree_.blocks();
    std::vector<std::size_t> after(blocks.size());
    for (std::size_t i = blocks.size(); i-- > 0;) {
      after[i] = std::max(after[i], i + 1);
      if (i > 0) {
        std::size_t& around = after[blocks[i].parent];
        around = std::max(around, after[i]);
      }
    }
    for (std::size_t i = 1; i < blocks.size();) {
      const Block& block = blocks[i];
      if (block.kind == BlockKind::quote) {
        add(i, after[i], TaskMark::Kind::other);
        i = after[i];
        continue;
      }
      if (block.parent == 0 && block.kind != BlockKind::list) {
        add_top(i, after[i]);
      } else if (block.kind == BlockKind::item) {
        add_item(i, after[i]);
      }
      ++i;
    }
    return std::move(marks_);
  }

 private:
  TaskMark& add(std::size_t block, std::size_t after, TaskMark::Kind kind) {
    TaskMark mark;
    mark.kind = kind;
    mark.block = block;
    mark.after = after;
    mark.line = tree_.line(tree_.blocks()[block]);
    marks_.push_back(std::move(mark));
    return marks_.back();
  }

  void add_top(std::size_t i, std::size_t after) {
    const Block& block = tree_.blocks()[i];
    if (block.kind == BlockKind::rule) {
      add(i, after, TaskMark::Kind::rule).line = rule_line(block);
    } else if (block.kind == BlockKind::heading && is_underlined_words(block)) {
      add(i, after, TaskMark::Kind::other);
    } else if (block.kind == BlockKind::heading) {
      TaskMark& mark = add(i, after, TaskMark::Kind::heading);
      mark.level = block.level;
      read_title(mark, tree_.text(block));
    } else if (block.kind == BlockKind::paragraph) {
      add_paragraph(i, after);
    } else {
      add(i, after, TaskMark::Kind::other);
    }
  }

  /// `Dependencies: None` with a rule right below it is a heading by CommonMark, and none to its
  /// author: words over several lines, or a label with its value.
  [[nodiscard]] bool is_underlined_words(const Block& block) const {
    std::size_t start = block.begin;
    while (start > 0 && text_[start - 1] != '\n') --start;
    if (base::trimmed(text_.substr(start, block.begin - start)).starts_with('#')) return false;
    const std::string_view said = tree_.text(block);
    if (said.find('\n') != std::string_view::npos) return true;
    const auto colon = said.find(':');
    return colon != std::string_view::npos && !phase_head(said) && !task_head(said) &&
           !says_gate(said);
  }

  /// A rule says nothing, so that the tree only knows what stands before it.
  [[nodiscard]] int rule_line(const Block& block) const {
    int line = tree_.line(block);
    std::size_t at = text_.find('\n', block.begin);
    while (at != std::string_view::npos) {
      const std::size_t end = std::min(text_.find('\n', at + 1), text_.size());
      const std::string_view said = base::trimmed(text_.substr(at + 1, end - at - 1));
      ++line;
      if (!said.empty() && said.find_first_not_of("-*_ \t") == std::string_view::npos) return line;
      at = end < text_.size() ? end : std::string_view::npos;
    }
    return line;
  }

  void add_paragraph(std::size_t i, std::size_t after) {
    const Block& block = tree_.blocks()[i];
    TaskMark& mark = add(i, after, TaskMark::Kind::paragraph);
    std::string_view said = tree_.text(block);
    const bool one_line = said.find('\n') == std::string_view::npos;
    said = said.substr(0, said.find('\n'));
    const std::string lower = base::lowered(said.substr(0, kLabelBytesMax));
    const bool stop_sign = said.starts_with("🛑");
    const bool emphasised = is_emphasised(block, text_);
    const bool ends_label = base::trimmed(said).ends_with(':');
    mark.label = said.size() <= kLabelBytesMax && (emphasised || stop_sign || ends_label);
    if (!mark.label && lower.find("validate-gate") == std::string::npos) return;
    if (emphasised && one_line) {
      mark.level = TaskMark::kParagraphLevel;
      mark.phase = phase_head(said);
      mark.task = task_head(said);
      if (mark.task && !mark.task->named) mark.task.reset();
    }
    // A sentence about checkpoints is no marker: its name stands before a colon, or alone.
    const std::string_view name = said.substr(0, said.find(':', stop_sign ? said.size() : 0));
    mark.gate =
        says_gate(stop_sign ? said : name) || lower.find("validate-gate") != std::string::npos;
    mark.names = phase_in_title(said);
    mark.aside = is_aside(name);
  }

  void read_title(TaskMark& mark, std::string_view title) const {
    mark.phase = phase_head(title);
    mark.task = task_head(title);
    const bool named_task = mark.task && mark.task->named;
    mark.gate = says_gate(title) && !named_task && !(mark.phase && mark.phase->clear);
    if (mark.gate) {
      const auto words = words_of(title);
      mark.gates = std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return word == "gates" || word == "checkpoints";
      });
    }
    mark.names = phase_in_title(title);
    mark.aside = is_aside(title);
  }

  void add_item(std::size_t i, std::size_t after) {
    const auto& blocks = tree_.blocks();
    const Block& block = blocks[i];
    TaskMark& mark = add(i, after, TaskMark::Kind::item);
    const std::size_t list = block.parent;
    mark.top = blocks[list].parent == 0;
    mark.boxed = box_sentence(tree_, i).has_value();
    mark.ticked = block.task_mark == 'x' || block.task_mark == 'X';
    mark.ordinal = ordinal_of(block, text_);
    const std::size_t first = i + 1;
    if (first >= blocks.size() || blocks[first].parent != i ||
        blocks[first].kind != BlockKind::paragraph) {
      return;
    }
    std::string_view said = tree_.text(blocks[first]);
    if (mark.boxed && block.task_mark == '\0') {
      said.remove_prefix(std::min(said.size(), said.find_first_of(" \t")));
      said = base::trimmed(said);
    }
    mark.task = task_head(said);
    if (!mark.task) return;
    // In a list, only what is written as a task is one: not `Task 1.1 (the pilot) validates …`,
    // not `1.1 million`.
    const bool bold = is_emphasised(blocks[first], text_);
    const bool written = mark.task->named ? (mark.task->clear || bold || mark.boxed)
                                          : (mark.boxed || (bold && mark.task->clear));
    if (!written) mark.task.reset();
  }

  const MarkdownTree& tree_;
  std::string_view text_;
  std::vector<TaskMark> marks_;
};

}  // namespace

std::vector<TaskMark> find_marks(const MarkdownTree& tree, std::string_view text) {
  return MarkFinder(tree, text).find();
}

}  // namespace phasegate::phases
