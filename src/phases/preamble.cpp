#include "phases/preamble.h"

#include <algorithm>

#include "base/text.h"
#include "phases/markdown.h"
#include "phases/markdown_lines.h"

namespace phasegate::phases {
namespace {

constexpr std::string_view kArrows[] = {"\u2192", "\u21D2", "\u27A1", "->", "=>", "|"};
/// Every arrow begins with one of these.
constexpr std::string_view kFirstBytes = "\xE2-=|";

constexpr std::size_t kLinkBytesMax = 1000;

/// The parts of a line of arrows or cells; one part if it is none.
std::vector<std::string_view> parts_of(std::string_view line) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t at = line.find_first_of(kFirstBytes); at != std::string_view::npos;
       at = line.find_first_of(kFirstBytes, at + 1)) {
    for (const std::string_view arrow : kArrows) {
      if (!line.substr(at, arrow.size()).starts_with(arrow)) continue;
      parts.push_back(line.substr(begin, at - begin));
      begin = at + arrow.size();
      break;
    }
  }
  parts.push_back(line.substr(begin));
  return parts;
}

bool names_in_parts(std::string_view line, const PhaseNames& later) {
  const auto parts = parts_of(line);
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return later.named_in(part); });
}

class OutlineFilter {
 public:
  OutlineFilter(std::string_view text, const PhaseNames& later)
      : text_(text), later_(later), tree_(parse_markdown(text)) {
    for (std::size_t at = 0; at < text.size(); at = line_ends_.back()) {
      line_ends_.push_back(line_end(text, at));
    }
    withheld_.assign(line_ends_.size() + 2, false);
    naming_.assign(line_ends_.size() + 2, false);
  }

  Preamble filter() {
    for (const Link& link : tree_.links()) {
      if (later_.named_in(link.target)) links_out_.push_back(link.block);
    }
    std::sort(links_out_.begin(), links_out_.end());
    for (std::size_t i = 0; i < tree_.blocks().size();) i = look_at(i);
    withhold_definitions();
    return written();
  }

 private:
  /// The block to look at next: what is within a withheld item need not be looked at.
  std::size_t look_at(std::size_t index) {
    const Block& block = tree_.blocks()[index];
    switch (block.kind) {
      case BlockKind::item:
        if (item_names(index)) return withhold_item(index);
        break;
      case BlockKind::cell:
        // `| 2 | what it is for |`: a row of the outline, whatever its head is called.
        if ((block.column == 0 && later_.is_bare_number(tree_.text(block))) ||
            names_in_parts(tree_.text(block), later_) || links_out(index)) {
          withhold(tree_.line(block), tree_.line_end(block));
        }
        break;
      case BlockKind::code:
      case BlockKind::html:
        for_each_line(block, [this](int line, std::string_view words) {
          if (names_in_parts(words, later_)) withhold(line, line);
        });
        break;
      case BlockKind::paragraph:
      case BlockKind::heading:
        for_each_line(block, [this](int line, std::string_view words) {
          const bool outline =
              later_.begin(words) || (parts_of(words).size() > 1 && names_in_parts(words, later_));
          if (outline) withhold(line, line);
          if (!outline && later_.clearly_named_in(words)) mark(naming_, line);
        });
        break;
      default:
        break;
    }
    return index + 1;
  }

  /// What the item itself says, up to a list or a quote within it.
  [[nodiscard]] bool item_names(std::size_t item) const {
    const auto& blocks = tree_.blocks();
    for (std::size_t i = item + 1; i < blocks.size() && blocks[i].parent == item; ++i) {
      if (names_in_parts(tree_.text(blocks[i]), later_) || links_out(i)) return true;
    }
    return false;
  }

  std::size_t withhold_item(std::size_t item) {
    const auto& blocks = tree_.blocks();
    withhold(tree_.line(blocks[item + 1]), tree_.line_end(blocks[item]));
    std::size_t i = item + 1;
    while (i < blocks.size() && blocks[i].parent >= item) ++i;
    return i;
  }

  [[nodiscard]] bool links_out(std::size_t block) const {
    return std::binary_search(links_out_.begin(), links_out_.end(),
                              static_cast<std::uint32_t>(block));
  }

  /// Lines of the original that the block spans, as they are written.
  template <typename Visit>
  void for_each_line(const Block& block, const Visit& visit) const {
    if (block.end <= block.begin) return;
    for (int line = tree_.line(block); line <= tree_.line_end(block); ++line) {
      visit(line, line_text(line));
    }
  }

  [[nodiscard]] std::string_view line_text(int line) const {
    const auto at = static_cast<std::size_t>(line - 1);
    if (line < 1 || at >= line_ends_.size()) return {};
    const std::size_t begin = at == 0 ? 0 : line_ends_[at - 1];
    return text_.substr(begin, line_ends_[at] - begin);
  }

  void withhold(int first, int last) {
    for (int line = first; line <= last; ++line) mark(withheld_, line);
  }
  static void mark(std::vector<bool>& lines, int line) {
    if (line >= 1 && static_cast<std::size_t>(line) < lines.size()) {
      lines[static_cast<std::size_t>(line)] = true;
    }
  }

  /// `[second]: #phase-2-root-cause`, which no block holds.
  void withhold_definitions() {
    for (std::size_t i = 0; i < line_ends_.size(); ++i) {
      const int line = static_cast<int>(i) + 1;
      const std::string_view words = base::trimmed(line_text(line));
      const auto colon = words.find("]:");
      if (words.starts_with('[') && colon != std::string_view::npos && later_.named_in(words)) {
        withhold(line, line);
      }
    }
  }

  /// A line without its links to later phases.
  [[nodiscard]] std::string without_links(std::string_view line) const {
    std::string kept;
    std::size_t at = 0;
    while (at < line.size()) {
      const std::size_t open = line.find('[', at);
      const std::size_t middle = open == std::string_view::npos ? open : line.find(']', open);
      if (middle == std::string_view::npos) break;
      const char opens = middle + 1 < line.size() ? line[middle + 1] : '\0';
      std::size_t end = std::string_view::npos;
      // No link is so long; without a bound a line of `](` would be searched over and over.
      const std::string_view near = line.substr(0, std::min(line.size(), middle + kLinkBytesMax));
      if (opens == '(') end = near.find(')', middle);
      if (opens == '[') end = near.find(']', middle + 1);
      if (end == std::string_view::npos) {
        kept += line.substr(at, middle + 1 - at);
        at = middle + 1;
        continue;
      }
      const std::string_view words = line.substr(open + 1, middle - open - 1);
      const std::string_view target = line.substr(middle + 2, end - middle - 2);
      const bool names = later_.named_in(words) || later_.named_in(target);
      kept += line.substr(at, names ? open - at : end + 1 - at);
      if (names) kept += "\u2026";
      at = end + 1;
    }
    kept += line.substr(at);
    return kept;
  }

  [[nodiscard]] Preamble written() const {
    Preamble preamble;
    const int first = tree_.line_of(static_cast<std::uint32_t>(content_begin(text_)));
    for (std::size_t i = 0; i < line_ends_.size(); ++i) {
      const int line = static_cast<int>(i) + 1;
      if (line < first) continue;
      std::string_view words = line_text(line);
      if (line == 1) words.remove_prefix(std::min(words.size(), content_begin(text_)));
      if (withheld_[i + 1]) {
        preamble.withheld.push_back(line);
        continue;
      }
      const std::string kept = without_links(words);
      if (kept != words) preamble.withheld.push_back(line);
      if (naming_[i + 1] && later_.clearly_named_in(kept)) preamble.still_naming.push_back(line);
      preamble.text += kept;
    }
    return preamble;
  }

  std::string_view text_;
  const PhaseNames& later_;
  MarkdownTree tree_;
  std::vector<std::size_t> line_ends_;
  std::vector<bool> withheld_;  ///< by line, from 1
  std::vector<bool> naming_;
  std::vector<std::uint32_t> links_out_;  ///< blocks that hold a link to a later phase
};

}  // namespace

std::size_t line_end(std::string_view text, std::size_t at) {
  const auto end = text.find_first_of("\r\n", at);
  if (end == std::string_view::npos) return text.size();
  return end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
}

Preamble without_outline(std::string_view text, const PhaseNames& later) {
  return OutlineFilter(text, later).filter();
}

}  // namespace phasegate::phases
