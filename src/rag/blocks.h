#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace phasegate::rag {

/// Longest line in bytes that counts as a heading, and longest text that is kept of one.
inline constexpr std::size_t kHeadingBytesMax = 1000;
inline constexpr std::size_t kHeadingTextBytesMax = 200;

/// Most blocks of a document; what follows is one text, whatever it looks like. Memory is bounded
/// by it where every few bytes could be a heading.
inline constexpr std::size_t kBlocksMax = 200'000;

enum class BlockKind : std::uint8_t { heading, text, table, fence };

/// Lines of a document that belong together.
struct Block {
  BlockKind kind = BlockKind::text;
  std::size_t first = 0;  ///< lines, from 0, both included
  std::size_t last = 0;
  bool gap = false;       ///< something that is left out stands before it: a blank line, a rule
  std::size_t level = 0;  ///< of a heading
  std::string heading;    ///< its text, without marks
  std::size_t table_head = 0;  ///< the line of a table's head; the dashes are on the next one
};

/// The lines of a text without their ends (LF). A last line without an end counts.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

/// The blocks of markdown lines, in order: headings (with `#`, or one line underlined), fences,
/// tables and what else stands between blank lines; blank lines and rules are left out. A table's
/// block begins with the text right above it, if there is any. Linear.
[[nodiscard]] std::vector<Block> markdown_blocks(const std::vector<std::string_view>& lines);

/// The same for plain text: what stands between blank lines.
[[nodiscard]] std::vector<Block> plain_blocks(const std::vector<std::string_view>& lines);

/// What a heading says: without emphasis, code and link marks, `#` at its end and `{#id}`.
[[nodiscard]] std::string heading_text(std::string_view heading);

}  // namespace phasegate::rag
