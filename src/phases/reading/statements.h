#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "phases/markdown.h"

namespace phasegate::phases {

/// One thing that a document says: a heading, a line of a paragraph, a list item's own words, a row
/// of a table, a fence.
struct Statement {
  enum class Kind : std::uint8_t { heading, line, item, table, code, tag, rule };
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  Kind kind = Kind::line;
  std::uint8_t level = 0;        ///< of a heading, from 1
  std::uint16_t depth = 0;       ///< lists around it: 0 outside, 1 in an outermost list
  bool box = false;              ///< an item with a box, ticked or not
  bool ordered = false;          ///< an item of a numbered list
  bool quoted = false;           ///< stands in a block quote
  std::uint32_t block = 0;       ///< in the tree
  std::uint32_t parent = kNone;  ///< index of the item around it
  int line = 0;                  ///< of its first word
  std::string glyph;             ///< symbols that stood before the text: `🛑`, `✅`
  std::string text;              ///< on one line, without markup, box, glyph and ✅/❌ behind it
  std::size_t strong = 0;        ///< bytes of `text` that a bold run at its beginning covers
  std::size_t code = 0;          ///< the same for a code span, without its backticks
};

/// Flattens a document's tree in reading order. A paragraph is taken apart where a new thought
/// begins (a bold label, a glyph, `WORDS-IN-CAPITALS:`), and wrapped lines are put together again.
/// Each HTML tag is a statement of its own. Tables and fences stay whole. `text` is what was
/// parsed, with Html::tags. Linear in the tree.
[[nodiscard]] std::vector<Statement> statements_of(const MarkdownTree& tree, std::string_view text);

/// The text without emoji, arrows, bullets and blanks at its beginning.
[[nodiscard]] std::string_view without_leading_glyphs(std::string_view text);

/// True for a symbol such as 🛑, ✅ or → at the beginning.
[[nodiscard]] bool begins_with_glyph(std::string_view text);

}  // namespace phasegate::phases
