#include "phases/gate_boxes.h"

#include <array>

#include "base/text.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

/// Bytes of the box that a text begins with; 0 if it begins with none.
std::size_t box_length(std::string_view text) {
  constexpr std::array<std::string_view, 4> kGlyphs = {"☐", "☑", "☒", "⬜"};
  for (const std::string_view glyph : kGlyphs) {
    if (text.starts_with(glyph)) return glyph.size();
  }
  if (!text.starts_with('[')) return 0;
  constexpr std::size_t kInsideMax = 3;
  for (std::size_t i = 1; i <= kInsideMax + 1 && i < text.size(); ++i) {
    const char c = text[i];
    // `[](target)` and `[x]: target` are links.
    if (c == ']')
      return i + 1 < text.size() && (text[i + 1] == '(' || text[i + 1] == ':') ? 0 : i + 1;
    if (c != ' ' && c != 'x' && c != 'X') return 0;
  }
  return 0;
}

}  // namespace

std::optional<std::string> box_sentence(const MarkdownTree& tree, std::size_t item) {
  const auto& blocks = tree.blocks();
  if (blocks[item].kind != BlockKind::item) return std::nullopt;
  const std::size_t next = item + 1;
  const bool has_words =
      next < blocks.size() && blocks[next].parent == item &&
      (blocks[next].kind == BlockKind::paragraph || blocks[next].kind == BlockKind::heading);
  const std::string_view text = has_words ? tree.text(blocks[next]) : std::string_view();
  if (blocks[item].task_mark != '\0') return plain_sentence(text);
  const std::size_t length = box_length(text);
  if (length == 0) return std::nullopt;
  return plain_sentence(text.substr(length));
}

}  // namespace phasegate::phases
