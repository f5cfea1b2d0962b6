#include "phases/gate_sections.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "phases/gate_boxes.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

enum class Title { none, gate, other };  // other: about gates, or an entry gate

bool says_gate(std::string_view title) {
  const std::vector<std::string> words = words_of(title);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "gate" || word == "gates" || word == "checkpoint" || word == "checkpoints";
  });
}

bool is_number(const std::string& word) {
  return !word.empty() && word.front() >= '0' && word.front() <= '9';
}

Title classify(std::string_view text) {
  constexpr std::size_t kTitleBytesMax = 300;
  const std::vector<std::string> words = words_of(text.substr(0, kTitleBytesMax));
  if (words.empty()) return Title::none;
  if (words.size() > 1 && (words[0] == "task" || words[0] == "step") && is_number(words[1])) {
    return Title::other;
  }
  bool gate = false;
  bool entry = false;
  for (const std::string& word : words) {
    gate =
        gate || word == "gate" || word == "gates" || word == "checkpoint" || word == "checkpoints";
    entry = entry || word.starts_with("prerequisite") || word.starts_with("precondition") ||
            word == "entry";
  }
  if (entry) return Title::other;
  return gate ? Title::gate : Title::none;
}

/// The phase that a gate's title names: `Phase 3 Checkpoint` → 3. A word counts only if it holds a
/// digit, so that `Phase Gate` names none.
std::optional<std::string> named_phase(std::string_view title) {
  const std::string lower = base::lowered(title);
  const auto at = lower.find("phase ");
  if (at == std::string::npos) return std::nullopt;
  std::string_view word = base::trimmed(title.substr(at + 6));
  std::size_t length = 0;
  while (length < word.size() &&
         is_phase_number(word.substr(length, 1) == "." ? "0" : word.substr(length, 1))) {
    ++length;
  }
  word = word.substr(0, length);
  while (word.ends_with('.')) word.remove_suffix(1);
  const bool digit =
      std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digit || !is_phase_number(word)) return std::nullopt;
  return std::string(word);
}

struct Mark {
  std::size_t block = 0;
  int line = 0;
  Title title = Title::none;
  std::optional<std::string> phase;
  bool heading = false;
  bool says_gate = false;  ///< whatever its title came to be
};

/// A marker line: `🛑 VALIDATE-GATE: …`, `🛑 **Checkpoint:** …`, `**Validation Gate:**`.
bool is_marker(std::string_view line, bool emphasised) {
  const std::vector<std::string> words = words_of(line.substr(0, 120));
  const bool stop_sign = line.find("🛑") != std::string_view::npos;
  if (words.size() < 2 && !stop_sign) {
    return words.size() == 1 && emphasised && (words[0] == "gate" || words[0] == "checkpoint");
  }
  std::size_t at = 0;
  if (words.size() >= 2 && words[0] == "validate" && words[1] == "gate") return true;
  if (!stop_sign && !emphasised) return false;
  if (words.size() > 2 && words[0] == "phase") at = 2;
  if (at < words.size() && (words[at] == "validation" || words[at] == "exit")) ++at;
  if (at >= words.size() || (words[at] != "gate" && words[at] != "checkpoint")) return false;
  // A sentence about checkpoints is no marker: the name ends the line or a colon follows.
  return at + 1 == words.size() || line.find(':') != std::string_view::npos;
}

class SectionFinder {
 public:
  SectionFinder(const MarkdownTree& tree, std::string_view text, std::string_view path,
                const std::string& phase, FindingList& findings)
      : tree_(tree), text_(text), path_(path), phase_(phase), findings_(findings) {}

  GateSections find() {
    collect_marks();
    settle_phases();
    walk();
    return std::move(sections_);
  }

 private:
  void collect_marks() {
    const auto& blocks = tree_.blocks();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].kind == BlockKind::heading) {
        const std::string_view title = tree_.text(blocks[i]);
        marks_.push_back({i, tree_.line(blocks[i]), classify(title), named_phase(title), true,
                          says_gate(title)});
        continue;
      }
      if (blocks[i].kind != BlockKind::paragraph) continue;
      int line = tree_.line(blocks[i]);
      const bool emphasised = is_emphasised(blocks[i]);
      for (const std::string_view said : base::split(tree_.text(blocks[i]), '\n')) {
        if (is_marker(said, emphasised)) {
          const Title title = classify(said) == Title::other ? Title::other : Title::gate;
          marks_.push_back({i, line, title, named_phase(said), false, true});
        }
        ++line;
      }
    }
    // A document's own title that happens to say gate is no gate if there is a real one.
    const auto first =
        std::find_if(marks_.begin(), marks_.end(), [](const Mark& mark) { return mark.heading; });
    const auto gates = std::count_if(marks_.begin(), marks_.end(),
                                     [](const Mark& mark) { return mark.title == Title::gate; });
    if (first != marks_.end() && blocks[first->block].level == 1 && first->title == Title::gate &&
        gates > 1) {
      first->title = Title::none;
    }
  }

  [[nodiscard]] bool is_emphasised(const Block& block) const {
    const std::size_t begin = block.begin;
    return begin > 0 && (text_[begin - 1] == '*' || text_[begin - 1] == '_');
  }

  /// Gates that name another phase are that phase's, unless none names ours: then the number is
  /// stale, as happens when phases are renumbered, and the gate is still the only one there is.
  void settle_phases() {
    const bool names_ours = std::any_of(marks_.begin(), marks_.end(), [&](const Mark& mark) {
      return mark.title == Title::gate && mark.phase == phase_;
    });
    for (Mark& mark : marks_) {
      if (mark.title != Title::gate || !mark.phase || *mark.phase == phase_) continue;
      if (names_ours) {
        mark.title = Title::other;
        continue;
      }
      findings_.warning("stale_phase_number",
                        "the gate of phase " + phase_ + " names phase " + *mark.phase,
                        "correct the number", {path_, mark.line, 0}, phase_);
    }
  }

  void walk() {
    struct Section {
      int level;
      Title title;
      int line;           ///< of the gate's mark
      bool ignored_gate;  ///< its boxes are passed over although its heading says gate
    };
    std::vector<Section> open{{0, Title::none, 0, false}};
    const auto& blocks = tree_.blocks();
    auto mark = marks_.begin();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (; mark != marks_.end() && mark->block == i; ++mark) {
        if (mark->heading) {
          const int level = blocks[i].level;
          while (open.size() > 1 && open.back().level >= level) open.pop_back();
          // The document's own title holds every section; only what stands right below it counts.
          const Section& around = open.back();
          const bool inherits = mark->title == Title::none && !mark->says_gate;
          open.push_back({level, inherits ? around.title : mark->title,
                          inherits ? around.line : mark->line,
                          inherits ? around.ignored_gate && around.title == Title::other
                                   : mark->says_gate && mark->title != Title::gate});
        } else {
          open.back().title = mark->title;
          open.back().line = mark->line;
          open.back().ignored_gate = mark->title == Title::other;
        }
        if (mark->title == Title::gate && sections_.source.file.empty()) {
          sections_.source = {path_, mark->line, 0};
        }
      }
      const bool box = box_sentence(tree_, i).has_value();
      if (open.back().title != Title::gate) {
        if (box && open.back().ignored_gate) ++sections_.ignored[open.back().line];
        continue;
      }
      sections_.inside.push_back(i);
      sections_.lines.push_back(open.back().line);
      if (box || blocks[i].kind == BlockKind::table) sections_.blocks.push_back(i);
    }
  }

  const MarkdownTree& tree_;
  std::string_view text_;
  std::string path_;
  const std::string& phase_;
  FindingList& findings_;
  std::vector<Mark> marks_;
  GateSections sections_;
};

}  // namespace

GateSections find_gate_sections(const MarkdownTree& tree, std::string_view text,
                                std::string_view path, const std::string& phase,
                                FindingList& findings) {
  return SectionFinder(tree, text, path, phase, findings).find();
}

}  // namespace phasegate::phases
