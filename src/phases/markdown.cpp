#include "phases/markdown.h"

#include <algorithm>
#include <array>

#include <md4c.h>

#include "base/limits.h"
#include "base/text.h"
#include "phases/markdown_lines.h"

namespace phasegate::phases {
namespace {

BlockKind kind_of(MD_BLOCKTYPE type) {
  switch (type) {
    case MD_BLOCK_QUOTE:
      return BlockKind::quote;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
      return BlockKind::list;
    case MD_BLOCK_LI:
      return BlockKind::item;
    case MD_BLOCK_HR:
      return BlockKind::rule;
    case MD_BLOCK_H:
      return BlockKind::heading;
    case MD_BLOCK_CODE:
      return BlockKind::code;
    case MD_BLOCK_HTML:
      return BlockKind::html;
    case MD_BLOCK_P:
      return BlockKind::paragraph;
    case MD_BLOCK_TABLE:
      return BlockKind::table;
    case MD_BLOCK_TR:
      return BlockKind::row;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
      return BlockKind::cell;
    default:
      return BlockKind::document;
  }
}

bool is_leaf(BlockKind kind) {
  return kind == BlockKind::heading || kind == BlockKind::paragraph || kind == BlockKind::cell ||
         kind == BlockKind::code || kind == BlockKind::html;
}

}  // namespace

/// Receives md4c's events. md4c gives no block positions, but its texts point into the input.
class TreeBuilder {
 public:
  TreeBuilder(MarkdownTree& tree, std::string_view input, std::size_t shift, Html html)
      : tree_(tree),
        input_(input),
        shift_(shift),
        html_(html),
        here_(static_cast<std::uint32_t>(shift)) {
    push(BlockKind::document);
  }

  bool parse(bool tables) {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_TASKLISTS | MD_FLAG_STRIKETHROUGH;
    if (tables) parser.flags |= MD_FLAG_TABLES;
    if (html_ == Html::tags) parser.flags |= MD_FLAG_NOHTMLBLOCKS;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
      return guarded(self, [&](TreeBuilder& me) { me.enter(type, detail); });
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
      return guarded(self, [&](TreeBuilder& me) { me.leave(type); });
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
      return guarded(self, [&](TreeBuilder& me) { me.enter_span(type, detail); });
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
      return guarded(self, [&](TreeBuilder& me) { me.leave_span(type); });
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
      return guarded(self, [&](TreeBuilder& me) { me.text(type, {text, size}); });
    };
    const bool parsed =
        md_parse(input_.data(), static_cast<MD_SIZE>(input_.size()), &parser, this) == 0;
    while (open_.size() > 1) pop();
    pop();
    return parsed && !stopped_;
  }

 private:
  /// md4c is C: no exception may cross it. One, such as running out of memory, ends the parse.
  /// md4c overlooks that inside tables, therefore it is remembered.
  template <typename Action>
  static int guarded(void* self, Action action) noexcept {
    TreeBuilder& me = *static_cast<TreeBuilder*>(self);
    if (me.stopped_) return 1;
    try {
      action(me);
      return 0;
    } catch (...) {
      me.stopped_ = true;
      return 1;
    }
  }

  Block& top() { return tree_.blocks_[open_.back()]; }
  [[nodiscard]] const Block& top() const { return tree_.blocks_[open_.back()]; }

  void push(BlockKind kind) {
    Block block;
    block.kind = kind;
    block.parent = open_.empty() ? 0 : open_.back();
    block.begin = block.end = here_;
    block.text_begin = block.text_end = static_cast<std::uint32_t>(tree_.plain_.size());
    placed_.push_back(false);
    open_.push_back(static_cast<std::uint32_t>(tree_.blocks_.size()));
    tree_.blocks_.push_back(block);
  }

  void pop() {
    const Block block = top();
    const bool placed = placed_.back();
    if (is_leaf(block.kind)) top().text_end = static_cast<std::uint32_t>(tree_.plain_.size());
    open_.pop_back();
    placed_.pop_back();
    if (placed && !open_.empty()) place(block.begin, block.end);
  }

  /// Widens the innermost block to hold the bytes; its parents follow when it is closed.
  void place(std::uint32_t begin, std::uint32_t end) {
    Block& block = top();
    block.begin = placed_.back() ? std::min(block.begin, begin) : begin;
    block.end = placed_.back() ? std::max(block.end, end) : end;
    placed_.back() = true;
    here_ = std::max(here_, end);
  }

  /// Blank lines at the beginning of code are words of it, but md4c hands them over as text that is
  /// not the document's: the code begins as many lines before its first placed byte.
  void place_blank_lines(std::uint32_t first_byte) {
    const auto blank =
        std::count(tree_.plain_.begin() + top().text_begin, tree_.plain_.end(), '\n');
    if (blank == 0) return;
    const std::uint32_t begin =
        tree_.line_begin(tree_.line_of(first_byte) - static_cast<int>(blank));
    place(begin, begin);
  }

  void close_implicit_paragraph() {
    if (!implicit_) return;
    implicit_ = false;
    pop();
  }

  void enter(MD_BLOCKTYPE type, void* detail) {
    if (type == MD_BLOCK_DOC || type == MD_BLOCK_THEAD || type == MD_BLOCK_TBODY) return;
    close_implicit_paragraph();
    if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) {
      // Short rows are filled up with empty cells, so that a wide table has columns × rows of
      // them: a cell becomes a block only when it says something.
      pending_cell_ = true;
      pending_header_ = type == MD_BLOCK_TH;
      return;
    }
    if (type == MD_BLOCK_TR) column_ = 0;
    push(kind_of(type));
    if (type == MD_BLOCK_H) {
      top().level = static_cast<std::uint8_t>(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level);
    } else if (type == MD_BLOCK_CODE) {
      const MD_ATTRIBUTE& word = static_cast<const MD_BLOCK_CODE_DETAIL*>(detail)->lang;
      if (word.text != nullptr && word.size > 0) {
        tree_.languages_.emplace_back(open_.back(), std::string(word.text, word.size));
      }
    } else if (type == MD_BLOCK_OL) {
      top().level = 1;
    } else if (type == MD_BLOCK_LI) {
      const auto& item = *static_cast<const MD_BLOCK_LI_DETAIL*>(detail);
      if (item.is_task != 0) {
        top().task_mark = item.task_mark;
        const auto mark = static_cast<std::uint32_t>(shift_ + item.task_mark_offset);
        place(mark, mark + 1);
      }
    }
  }

  void leave(MD_BLOCKTYPE type) {
    if (type == MD_BLOCK_DOC || type == MD_BLOCK_THEAD || type == MD_BLOCK_TBODY) return;
    close_implicit_paragraph();
    if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) {
      if (!pending_cell_) pop();
      pending_cell_ = false;
      ++column_;
      return;
    }
    pop();
  }

  void open_leaf() {
    if (pending_cell_) {
      pending_cell_ = false;
      push(BlockKind::cell);
      top().header = pending_header_;
      top().column = column_;
    } else if (!is_leaf(top().kind)) {
      push(BlockKind::paragraph);
      implicit_ = true;
    }
  }

  void enter_span(MD_SPANTYPE type, void* detail) {
    if (type == MD_SPAN_CODE) {
      open_leaf();
      span_begin_ = static_cast<std::uint32_t>(tree_.plain_.size());
    } else if (type == MD_SPAN_STRONG) {
      open_leaf();
      strong_begins_.push_back(static_cast<std::uint32_t>(tree_.plain_.size()));
    } else if (type == MD_SPAN_A || type == MD_SPAN_IMG) {
      open_leaf();
      const MD_ATTRIBUTE& target = type == MD_SPAN_A
                                       ? static_cast<const MD_SPAN_A_DETAIL*>(detail)->href
                                       : static_cast<const MD_SPAN_IMG_DETAIL*>(detail)->src;
      // A short reference can stand for a long target, over and over.
      link_bytes_ += target.size;
      if (link_bytes_ > kLinkBytesPerByte * (input_.size() + kLinkBytesFree)) {
        stopped_ = true;
        return;
      }
      tree_.links_.push_back(
          {std::string(target.text == nullptr ? "" : target.text, target.size), open_.back()});
    }
  }

  void leave_span(MD_SPANTYPE type) {
    const auto end = static_cast<std::uint32_t>(tree_.plain_.size());
    if (type == MD_SPAN_CODE) {
      tree_.code_spans_.push_back({span_begin_, end, open_.back()});
    } else if (type == MD_SPAN_STRONG && !strong_begins_.empty()) {
      tree_.strong_spans_.push_back({strong_begins_.back(), end, open_.back()});
      strong_begins_.pop_back();
    }
  }

  void text(MD_TEXTTYPE type, std::string_view piece) {
    open_leaf();
    const bool inside = piece.data() >= input_.data() &&
                        piece.data() + piece.size() <= input_.data() + input_.size();
    if (inside && !piece.empty()) {
      const auto at = static_cast<std::uint32_t>(
          shift_ + static_cast<std::size_t>(piece.data() - input_.data()));
      if (top().kind == BlockKind::code && !placed_.back()) place_blank_lines(at);
      place(at, at + static_cast<std::uint32_t>(piece.size()));
    }
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
      // The words of a task can begin on the line below its box: the break before them is not
      // theirs.
      if (placed_.back()) tree_.plain_ += '\n';
    } else if (type == MD_TEXT_NULLCHAR) {
      tree_.plain_ += "\xEF\xBF\xBD";
    } else if (type == MD_TEXT_HTML && top().kind != BlockKind::html) {
      add_inline_html(piece, inside);
    } else {
      tree_.plain_ += piece;
    }
  }

  /// `<path>` in a sentence is a placeholder that belongs to it, unlike `<b>`.
  [[nodiscard]] bool is_placeholder(std::string_view piece) const {
    constexpr std::array<std::string_view, 20> kMarkup = {
        "a",   "b",   "i",    "u",    "s",   "br",  "em",  "p",   "code",   "kbd",
        "sub", "sup", "span", "mark", "img", "div", "del", "ins", "strong", "small"};
    const bool line_begins = tree_.plain_.size() == top().text_begin || tree_.plain_.back() == '\n';
    if (html_ != Html::tags || line_begins || piece.size() < 3 || piece[1] == '/' ||
        piece[1] == '!' || piece[1] == '?') {
      return false;
    }
    const std::string name = base::lowered(piece.substr(1, piece.find_first_of(" />", 1) - 1));
    return std::find(kMarkup.begin(), kMarkup.end(), name) == kMarkup.end();
  }

  /// md4c hands one tag over line by line, and each line's end as text that is not the document's.
  void add_inline_html(std::string_view piece, bool inside) {
    const bool begins = inside && piece.starts_with('<');
    if (begins) {
      const bool tag = html_ == Html::tags && !piece.starts_with("<!--");
      inline_html_ = is_placeholder(piece) ? InlineHtml::placeholder
                     : tag                 ? InlineHtml::tag
                                           : InlineHtml::silent;
    }
    if (inline_html_ == InlineHtml::placeholder) {
      tree_.plain_ += piece;
      return;
    }
    if (inline_html_ == InlineHtml::tag && inside) {
      const auto begin = static_cast<std::uint32_t>(
          shift_ + static_cast<std::size_t>(piece.data() - input_.data()));
      if (begins) {
        tree_.tags_.push_back(
            {begin, begin, open_.back(), static_cast<std::uint32_t>(tree_.plain_.size())});
      }
      tree_.tags_.back().end = begin + static_cast<std::uint32_t>(piece.size());
    }
    // It says nothing itself, yet the lines behind it keep their numbers.
    tree_.plain_.append(static_cast<std::size_t>(std::count(piece.begin(), piece.end(), '\n')),
                        '\n');
  }

  MarkdownTree& tree_;
  std::string_view input_;
  std::size_t shift_;
  Html html_;
  std::uint32_t here_;
  std::vector<std::uint32_t> open_;
  std::vector<bool> placed_;
  std::uint32_t span_begin_ = 0;
  std::vector<std::uint32_t> strong_begins_;
  std::uint32_t column_ = 0;
  enum class InlineHtml : std::uint8_t { silent, tag, placeholder };
  InlineHtml inline_html_ = InlineHtml::silent;
  static constexpr std::size_t kLinkBytesPerByte = 4;
  static constexpr std::size_t kLinkBytesFree = 64U << 10U;
  std::size_t link_bytes_ = 0;
  bool stopped_ = false;
  bool implicit_ = false;
  bool pending_cell_ = false;
  bool pending_header_ = false;
};

int MarkdownTree::line_of(std::uint32_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<int>(after - line_starts_.begin());
}

std::uint32_t MarkdownTree::line_begin(int line) const {
  if (line < 1 || line_starts_.empty()) return 0;
  return line_starts_[std::min(static_cast<std::size_t>(line) - 1, line_starts_.size() - 1)];
}

int MarkdownTree::last_line() const {
  return std::max(1, static_cast<int>(line_starts_.size()) - 1);
}

std::string MarkdownTree::raw_cell(std::string_view original, const Block& cell) {
  const auto is_pipe = [&](std::size_t at) {
    return original[at] == '|' && (at == 0 || original[at - 1] != '\\');
  };
  const auto ends_line = [&](std::size_t at) {
    return original[at] == '\n' || original[at] == '\r';
  };
  std::size_t begin = cell.begin;
  while (begin > 0 && !is_pipe(begin - 1) && !ends_line(begin - 1)) --begin;
  std::size_t end = cell.end;
  while (end < original.size() && !is_pipe(end) && !ends_line(end)) ++end;
  std::string raw;
  for (const char c : base::trimmed(original.substr(begin, end - begin))) {
    if (c == '|' && !raw.empty() && raw.back() == '\\') raw.pop_back();
    raw += c;
  }
  return raw;
}

std::string_view MarkdownTree::language(std::size_t block) const {
  const auto found =
      std::lower_bound(languages_.begin(), languages_.end(), block,
                       [](const auto& one, std::size_t wanted) { return one.first < wanted; });
  const bool here = found != languages_.end() && found->first == block;
  return here ? std::string_view(found->second) : std::string_view();
}

MarkdownTree parse_markdown(std::string_view text, Html html) {
  MarkdownTree tree;
  if (text.size() > base::limits::kMarkdownBytesMax) {
    tree.complete_ = false;
    tree.line_starts_ = {0};
    return tree;
  }
  tree.line_starts_ = line_starts_of(text);
  const std::size_t begin = content_begin(text);
  const std::string_view content = text.substr(begin);
  const bool wide = has_wide_table(content);
  const std::string said = html == Html::tags ? without_comments(content) : std::string();
  const std::string_view input = html == Html::tags ? std::string_view(said) : content;
  tree.complete_ = TreeBuilder(tree, input, begin, html).parse(!wide) && !wide;
  return tree;
}

}  // namespace phasegate::phases
