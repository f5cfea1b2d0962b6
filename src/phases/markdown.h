#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phasegate::phases {

enum class BlockKind : std::uint8_t {
  document,
  quote,
  list,
  item,
  heading,
  paragraph,
  table,
  row,
  cell,
  code,
  html,
  rule
};

/// A block of a document in pre-order. Small on purpose: a hostile file makes millions of them.
/// Offsets are bytes of the original text, front matter and byte order mark included.
struct Block {
  BlockKind kind = BlockKind::document;
  std::uint8_t level = 0;        ///< of a heading, 1 to 6; of a list, 1 if it is numbered
  char task_mark = '\0';         ///< of an item: ' ', 'x' or 'X'; '\0' if it has no box
  bool header = false;           ///< of a cell: it stands in the table's head
  std::uint32_t parent = 0;      ///< index of the block around it; the document is its own
  std::uint32_t column = 0;      ///< of a cell, from 0
  std::uint32_t begin = 0;       ///< first byte of what it says; marks such as `#` lie before it
  std::uint32_t end = 0;         ///< one behind the last byte
  std::uint32_t text_begin = 0;  ///< its own text in the plain text; see MarkdownTree::text
  std::uint32_t text_end = 0;
};

/// A link or an image: its target as written, with entities left alone and escapes resolved.
struct Link {
  std::string target;
  std::uint32_t block = 0;
};

/// A code span, or a bold run, as a piece of the plain text.
struct TextSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t block = 0;
};

/// An HTML tag that stands in a text, as bytes of the original text.
struct HtmlTag {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t block = 0;
  std::uint32_t at = 0;  ///< where it stood in the plain text
};

/// What raw HTML is. As `blocks`, as CommonMark says, a tag on a line of its own takes everything
/// up to the next blank line with it. As `tags`, the lines between `<criteria>` and `</criteria>`
/// are markdown, as people mean them; comments, scripts and `<pre>` say nothing in either case.
enum class Html : std::uint8_t { blocks, tags };

/// A parsed document. Text stands in leaves only (heading, paragraph, cell, code, html): what a
/// tight list item says is a paragraph of its own. An empty table cell has no block.
class MarkdownTree {
 public:
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] const std::vector<Link>& links() const { return links_; }
  [[nodiscard]] const std::vector<TextSpan>& code_spans() const { return code_spans_; }
  /// Bold runs, by their ends; a run within another comes first.
  [[nodiscard]] const std::vector<TextSpan>& strong_spans() const { return strong_spans_; }

  /// With Html::tags: the tags of paragraphs and items, in their order.
  [[nodiscard]] const std::vector<HtmlTag>& tags() const { return tags_; }
  /// The word behind a fence's first line: `python`; empty for other blocks.
  [[nodiscard]] std::string_view language(std::size_t block) const;

  /// What a leaf says without its markup; line breaks are '\n', inline HTML is left out.
  [[nodiscard]] std::string_view text(const Block& block) const {
    return std::string_view(plain_).substr(block.text_begin, block.text_end - block.text_begin);
  }
  [[nodiscard]] std::string_view text(const TextSpan& span) const {
    return std::string_view(plain_).substr(span.begin, span.end - span.begin);
  }
  /// Line (from 1) of the original text on which the block's words begin. O(log lines).
  [[nodiscard]] int line(const Block& block) const { return line_of(block.begin); }
  [[nodiscard]] int line_end(const Block& block) const {
    return line_of(block.end > block.begin ? block.end - 1 : block.begin);
  }
  [[nodiscard]] int line_of(std::uint32_t offset) const;
  /// First byte of a line (from 1); that of the end for lines behind the last. O(1).
  [[nodiscard]] std::uint32_t line_begin(int line) const;
  [[nodiscard]] int last_line() const;
  /// The cell of `original` as its author typed it: from pipe to pipe, blanks trimmed, `\|` as `|`.
  [[nodiscard]] static std::string raw_cell(std::string_view original, const Block& cell);

  /// False if the text was not parsed to its end: too large, or a table of more than
  /// limits::kTableColumnsMax columns, which is then no table. What there is of the tree must not
  /// be taken for the whole.
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  friend class TreeBuilder;
  friend MarkdownTree parse_markdown(std::string_view text, Html html);
  std::vector<Block> blocks_;
  std::vector<Link> links_;
  std::vector<TextSpan> code_spans_;
  std::vector<TextSpan> strong_spans_;
  std::vector<HtmlTag> tags_;
  std::vector<std::pair<std::uint32_t, std::string>> languages_;  ///< by block
  std::string plain_;
  std::vector<std::uint32_t> line_starts_;
  bool complete_ = true;
};

/// Parses CommonMark with tables and task lists. What lies before content_begin() is skipped, yet
/// offsets and lines count it.
/// Any bytes give a tree; LF, CRLF and CR end lines. Linear in `text`; refuses (complete() is
/// false) more than limits::kMarkdownBytesMax bytes.
[[nodiscard]] MarkdownTree parse_markdown(std::string_view text, Html html = Html::blocks);

}  // namespace phasegate::phases
