#include "phases/reading/statements.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "phases/gate_boxes.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

using Kind = Statement::Kind;

/// Bytes of the symbol at the beginning; 0 for letters, digits and ASCII punctuation.
std::size_t glyph_length(std::string_view text) {
  if (text.empty() || static_cast<unsigned char>(text.front()) < 0x80) return 0;
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) {
    ++length;
  }
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (length == 2) return byte(0) == 0xC2U ? length : 0;  // U+0080 – U+00BF
  if (length == 3) {
    const unsigned code = (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
    const bool symbol = (code >= 0x2010 && code <= 0x2BFF) || code == 0xFE0F || code == 0x200D ||
                        code == 0x3030 || code == 0x303D;
    // ≥ ≤ ≠ belong to what they stand before.
    return symbol && code != 0x2264 && code != 0x2265 && code != 0x2260 ? length : 0;
  }
  return length == 4 && byte(0) == 0xF0U && byte(1) == 0x9FU ? length : 0;
}

/// `EVIDENCE-REQUIRED:`, `VERIFY:`, `PHASE_1_CHECKPOINT:`.
bool begins_with_command(std::string_view text) {
  std::size_t at = 0;
  std::size_t letters = 0;
  while (at < text.size() && ((text[at] >= 'A' && text[at] <= 'Z') || text[at] == '-' ||
                              text[at] == '_' || (text[at] >= '0' && text[at] <= '9'))) {
    letters += text[at] >= 'A' && text[at] <= 'Z' ? 1 : 0;
    ++at;
  }
  return letters >= 4 && at < text.size() && text[at] == ':';
}

/// `- x`, `* x`, `1. x`: indented too far for CommonMark, yet an item for its author.
bool begins_with_list_mark(std::string_view text) {
  if (text.starts_with("- ") || text.starts_with("* ")) return true;
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  return digits > 0 && digits < 4 && text.substr(digits).starts_with(". ");
}

/// `<success_criteria>` and `</step>` alone on a line: names with `_` are none in HTML, yet meant
/// so.
bool is_tag_line(std::string_view text) {
  text = base::trimmed(text);
  if (text.size() < 3 || text.front() != '<' || text.back() != '>') return false;
  std::string_view inside = text.substr(1, text.size() - 2);
  if (inside.starts_with('/')) inside.remove_prefix(1);
  const bool letter = !inside.empty() && ((inside.front() >= 'a' && inside.front() <= 'z') ||
                                          (inside.front() >= 'A' && inside.front() <= 'Z'));
  return letter && inside.find_first_of("<>|@") == std::string_view::npos &&
         (inside.find(' ') == std::string_view::npos || inside.find('=') != std::string_view::npos);
}

std::string on_one_line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

class Flattener {
 public:
  Flattener(const MarkdownTree& tree, std::string_view text) : tree_(tree), text_(text) {}

  std::vector<Statement> flatten() {
    const auto& blocks = tree_.blocks();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      leave(i);
      const Block& block = blocks[i];
      switch (block.kind) {
        case BlockKind::list:
          ++depth_;
          open_.push_back({i, Statement::kNone, true});
          break;
        case BlockKind::quote:
          ++quotes_;
          open_.push_back({i, Statement::kNone, false});
          break;
        case BlockKind::item:
          open_.push_back({i, static_cast<std::uint32_t>(statements_.size()), false});
          add_item(i);
          break;
        case BlockKind::heading:
          add(Kind::heading, i, tree_.line(block), tree_.text(block), 0).level = block.level;
          break;
        case BlockKind::paragraph:
          if (i != item_words_)
            add_lines(i, tree_.text(block), block.text_begin, tree_.line(block));
          break;
        case BlockKind::table:
          add(Kind::table, i, tree_.line(block), "", 0);
          break;
        case BlockKind::code:
          add(Kind::code, i, tree_.line(block), "", 0);
          break;
        case BlockKind::rule:
          add(Kind::rule, i, tree_.line(block), "", 0);
          break;
        default:
          break;
      }
    }
    return std::move(statements_);
  }

 private:
  struct Open {
    std::size_t block;
    std::uint32_t item;  ///< index of its statement
    bool list;
  };

  void leave(std::size_t block) {
    const std::size_t parent = tree_.blocks()[block].parent;
    while (!open_.empty() && open_.back().block > parent) {
      if (open_.back().list) --depth_;
      if (tree_.blocks()[open_.back().block].kind == BlockKind::quote) --quotes_;
      open_.pop_back();
    }
  }

  [[nodiscard]] std::uint32_t enclosing_item(std::size_t except) const {
    for (auto open = open_.rbegin(); open != open_.rend(); ++open) {
      if (open->item != Statement::kNone && open->block != except) return open->item;
    }
    return Statement::kNone;
  }

  /// Bytes of the text from `begin` on that a span beginning there covers. Spans are asked for in
  /// reading order.
  static std::size_t covered(const std::vector<TextSpan>& spans, std::uint32_t block,
                             std::uint32_t begin) {
    auto span =
        std::lower_bound(spans.begin(), spans.end(), begin + 1,
                         [](const TextSpan& one, std::uint32_t at) { return one.end < at; });
    std::size_t length = 0;
    for (; span != spans.end() && span->begin <= begin && span->block == block; ++span) {
      if (span->begin == begin) length = std::max<std::size_t>(length, span->end - begin);
    }
    return length;
  }

  Statement& add(Kind kind, std::size_t block, int line, std::string_view text,
                 std::uint32_t text_begin) {
    Statement said;
    said.kind = kind;
    said.block = static_cast<std::uint32_t>(block);
    said.depth = static_cast<std::uint16_t>(std::min(depth_, std::size_t{1000}));
    said.quoted = quotes_ > 0;
    said.parent = enclosing_item(block);
    said.line = line;
    if (kind == Kind::heading) text_begin = tree_.blocks()[block].text_begin;
    const std::string_view trimmed = base::trimmed(text);
    if (!trimmed.empty()) {
      const auto shift = static_cast<std::uint32_t>(trimmed.data() - text.data());
      const std::string_view bare = without_leading_glyphs(trimmed);
      const auto glyphs = static_cast<std::uint32_t>(bare.data() - trimmed.data());
      // A bold run may hold the glyph, or stand behind it.
      const std::size_t around = covered(tree_.strong_spans(), said.block, text_begin + shift);
      const std::size_t behind =
          covered(tree_.strong_spans(), said.block, text_begin + shift + glyphs);
      said.glyph = std::string(base::trimmed(trimmed.substr(0, glyphs)));
      said.text = plain_sentence(on_one_line(bare));
      said.strong =
          std::min(std::max(around > glyphs ? around - glyphs : 0, behind), said.text.size());
      said.code = std::min(covered(tree_.code_spans(), said.block, text_begin + shift + glyphs),
                           said.text.size());
    }
    statements_.push_back(std::move(said));
    return statements_.back();
  }

  void add_item(std::size_t item) {
    const auto& blocks = tree_.blocks();
    const std::size_t words = item + 1;
    const bool has_words =
        words < blocks.size() && blocks[words].parent == item &&
        (blocks[words].kind == BlockKind::paragraph || blocks[words].kind == BlockKind::heading);
    const std::optional<std::string> box = box_sentence(tree_, item);
    if (!has_words) {
      mark_item(add(Kind::item, item, tree_.line(blocks[item]), "", 0), item, box.has_value());
      return;
    }
    const bool paragraph = blocks[words].kind == BlockKind::paragraph;
    if (paragraph) item_words_ = words;
    std::string_view text = tree_.text(blocks[words]);
    std::uint32_t begin = blocks[words].text_begin;
    if (box && blocks[item].task_mark == '\0') {
      // A box that only people take for one: it is part of the text.
      const std::size_t skip = text.starts_with('[') ? text.find(']') + 1 : glyph_length(text);
      text.remove_prefix(std::min(skip, text.size()));
      begin += static_cast<std::uint32_t>(skip);
    }
    std::size_t first = statements_.size();
    if (paragraph) {
      add_lines(words, text, begin, tree_.line(blocks[words]));
    } else {
      add(Kind::line, words, tree_.line(blocks[words]), text, begin);
    }
    while (first < statements_.size() && statements_[first].kind == Kind::tag) ++first;
    if (statements_.size() == first) {
      add(Kind::item, item, tree_.line(blocks[item]), "", 0);
    }
    statements_[first].kind = Kind::item;
    statements_[first].parent = enclosing_item(item);
    mark_item(statements_[first], item, box.has_value());
    for (std::size_t i = first + 1; i < statements_.size(); ++i) {
      if (statements_[i].kind != Kind::tag) {
        statements_[i].parent = static_cast<std::uint32_t>(first);
      }
    }
  }

  void mark_item(Statement& said, std::size_t item, bool box) {
    said.box = box;
    const Block& list = tree_.blocks()[tree_.blocks()[item].parent];
    said.ordered = list.level == 1;
  }

  void add_lines(std::size_t block, std::string_view text, std::uint32_t begin, int line) {
    std::size_t at = 0;
    std::size_t start = 0;
    int start_line = line;
    while (at <= text.size()) {
      const auto end = std::min(text.find('\n', at), text.size());
      const std::string_view next = end < text.size() ? text.substr(end + 1) : std::string_view();
      const bool last = end >= text.size();
      // A line that held nothing but a tag.
      const bool gap = !last && (base::trimmed(next.substr(0, next.find('\n'))).empty() ||
                                 is_tag_line(text.substr(start, end - start)));
      if (last || gap ||
          begins_thought(block, base::trimmed(next.substr(0, next.find('\n'))),
                         begin + static_cast<std::uint32_t>(end) + 1, next)) {
        const std::string_view thought = text.substr(start, end - start);
        if (!base::trimmed(thought).empty()) {
          const auto blank = thought.substr(0, thought.find_first_not_of("\n "));
          add_tags(block, begin + static_cast<std::uint32_t>(start + blank.size()));
          const auto skipped = static_cast<int>(std::count(blank.begin(), blank.end(), '\n'));
          add(is_tag_line(thought) ? Kind::tag : Kind::line, block, start_line + skipped, thought,
              begin + static_cast<std::uint32_t>(start));
        }
        start = end + 1;
        start_line = line + 1;
      }
      if (last) break;
      at = end + 1;
      ++line;
    }
    add_tags(block, 0xFFFFFFFFU);
  }

  /// The tags of a block that stand before a place of the plain text.
  void add_tags(std::size_t block, std::uint32_t before) {
    for (; next_tag_ < tree_.tags().size(); ++next_tag_) {
      const HtmlTag& tag = tree_.tags()[next_tag_];
      if (tag.block > block || (tag.block == block && tag.at > before)) return;
      if (tag.block < block) continue;
      Statement said;
      said.kind = Kind::tag;
      said.block = static_cast<std::uint32_t>(block);
      said.line = tree_.line_of(tag.begin);
      said.text = base::to_utf8(text_.substr(tag.begin, tag.end - tag.begin));
      statements_.push_back(std::move(said));
    }
  }

  [[nodiscard]] bool begins_thought(std::size_t block, std::string_view next_line,
                                    std::uint32_t next_begin, std::string_view raw) const {
    if (next_line.empty()) return false;
    if (is_tag_line(next_line)) return true;
    const auto blanks = static_cast<std::uint32_t>(next_line.data() - raw.data());
    return begins_with_glyph(next_line) || begins_with_command(next_line) ||
           begins_with_list_mark(next_line) ||
           covered(tree_.strong_spans(), static_cast<std::uint32_t>(block), next_begin + blanks) >
               0;
  }

  const MarkdownTree& tree_;
  std::string_view text_;
  std::vector<Statement> statements_;
  std::vector<Open> open_;
  std::size_t next_tag_ = 0;
  std::size_t depth_ = 0;
  std::size_t quotes_ = 0;
  std::size_t item_words_ = 0;
};

}  // namespace

std::string_view without_leading_glyphs(std::string_view text) {
  while (!text.empty()) {
    if (text.front() == ' ' || text.front() == '\t') {
      text.remove_prefix(1);
      continue;
    }
    const std::size_t length = glyph_length(text);
    if (length == 0) break;
    text.remove_prefix(length);
  }
  return text;
}

bool begins_with_glyph(std::string_view text) {
  return glyph_length(text) > 0;
}

std::vector<Statement> statements_of(const MarkdownTree& tree, std::string_view text) {
  return Flattener(tree, text).flatten();
}

}  // namespace phasegate::phases
