#include "phases/passed_over.h"

#include <vector>

#include "base/text.h"
#include "phases/approval_reader.h"
#include "phases/gate_boxes.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

constexpr std::size_t kLinesShown = 3;

struct Passed {
  std::size_t count = 0;
  int line = 0;
  std::vector<std::string> shown;

  void add(int at, std::string_view text) {
    if (count++ == 0) line = at;
    if (shown.size() < kLinesShown) {
      shown.push_back("line " + std::to_string(at) + ": " +
                      base::in_quotes(base::shortened(plain_sentence(text), 60)));
    }
  }
};

class PassedOver {
 public:
  PassedOver(const MarkdownTree& tree, const std::set<std::size_t>& tables_read)
      : tree_(tree), tables_read_(tables_read), holds_box_(tree.blocks().size(), false) {
    for (std::size_t i = tree.blocks().size(); i-- > 0;) {
      const std::uint32_t parent = tree.blocks()[i].parent;
      if (holds_box_[i] || box_sentence(tree, i)) holds_box_[parent] = true;
    }
  }

  void look_at(std::size_t index, Passed& passed) {
    const Block& block = tree_.blocks()[index];
    if (block.kind == BlockKind::table) {
      if (!tables_read_.contains(index)) passed.add(tree_.line(block), "table " + head_of(index));
    } else if (block.kind == BlockKind::item) {
      const std::string_view text = words_of_item(index);
      // An item that only groups boxes loses nothing, and a demand for approval is read elsewhere.
      const bool read = text.empty() || box_sentence(tree_, index) || holds_box_[index] ||
                        speaks_of_approval(text);
      if (!read) passed.add(tree_.line(block), text);
    }
  }

 private:
  [[nodiscard]] std::string_view words_of_item(std::size_t item) const {
    const auto& blocks = tree_.blocks();
    const bool has_words = item + 1 < blocks.size() && blocks[item + 1].parent == item &&
                           blocks[item + 1].kind == BlockKind::paragraph;
    if (!has_words) return {};
    const std::string_view text = tree_.text(blocks[item + 1]);
    return text.substr(0, text.find('\n'));
  }

  [[nodiscard]] std::string head_of(std::size_t table) const {
    const auto& blocks = tree_.blocks();
    std::string head;
    for (std::size_t i = table + 1; i < blocks.size() && blocks[i].parent >= table; ++i) {
      if (blocks[i].kind != BlockKind::cell) continue;
      if (!blocks[i].header || head.size() > 60) break;
      head += (head.empty() ? "" : " | ") + std::string(tree_.text(blocks[i]));
    }
    return head;
  }

  const MarkdownTree& tree_;
  const std::set<std::size_t>& tables_read_;
  std::vector<bool> holds_box_;
};

}  // namespace

void report_passed_over(const MarkdownTree& tree, const GateSections& sections,
                        const std::set<std::size_t>& tables_read, std::string_view path,
                        const std::string& phase, FindingList& findings) {
  PassedOver reader(tree, tables_read);
  std::size_t at = 0;
  while (at < sections.inside.size()) {
    const int section = sections.lines[at];
    Passed passed;
    for (; at < sections.inside.size() && sections.lines[at] == section; ++at) {
      reader.look_at(sections.inside[at], passed);
    }
    if (passed.count == 0) continue;
    findings.warning("passed_over",
                     counted(passed.count, "thing", "things") + " of the gate section at line " +
                         std::to_string(section) + " " + (passed.count == 1 ? "is" : "are") +
                         " not asked for: " + base::joined(passed.shown, "; ") +
                         (passed.count > passed.shown.size() ? "; …" : ""),
                     "write what must be true as - [ ] or as a row of the evidence table",
                     {std::string(path), passed.line, 0}, phase);
  }
  if (sections.source.file.empty()) return;
  for (const auto& [line, boxes] : sections.ignored) {
    findings.warning("other_gate_ignored",
                     counted(boxes, "box", "boxes") + " below a heading that says gate " +
                         (boxes == 1 ? "is" : "are") + " not asked for; the gate at line " +
                         std::to_string(sections.source.line) + " counts",
                     "move them there if they must hold to leave the phase",
                     {std::string(path), line, 0}, phase);
  }
}

}  // namespace phasegate::phases
