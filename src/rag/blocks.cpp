#include "rag/blocks.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "rag/line_marks.h"

namespace phasegate::rag {
namespace {

/// `---`, `* * *`: a rule across the page.
bool is_rule(std::string_view line) {
  char mark = '\0';
  std::size_t marks = 0;
  for (const char c : base::trimmed(line)) {
    if (c == ' ' || c == '\t') continue;
    if (c != '-' && c != '*' && c != '_') return false;
    if (mark != '\0' && c != mark) return false;
    mark = c;
    ++marks;
  }
  return marks >= 3;
}

/// The line below a table's head.
bool is_table_dashes(std::string_view line) {
  return line.find('-') != std::string_view::npos && line.find('|') != std::string_view::npos &&
         line.find_first_not_of("|-: \t>") == std::string_view::npos;
}

/// What may stand above an underline and become a heading by it.
bool may_be_underlined(std::string_view line) {
  const std::size_t indent = line.find_first_not_of(' ');
  if (line.size() > kHeadingBytesMax || indent == std::string_view::npos || indent > 3)
    return false;
  const std::string_view content = line.substr(indent);
  const bool item = content.size() > 1 && content[1] == ' ' &&
                    std::string_view("-*+").find(content.front()) != std::string_view::npos;
  return !item && content.front() != '>' && content.front() != '|' && content.front() != '<' &&
         content.front() != '\t' && !is_rule(line);
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string_view>& lines) : lines_(lines) {}

  std::vector<Block> run() {
    while (at_ < lines_.size() && blocks_.size() < kBlocksMax) take();
    if (at_ < lines_.size()) put(BlockKind::text, lines_.size() - 1);
    return std::move(blocks_);
  }

 private:
  void take() {
    const std::string_view line = lines_[at_];
    if (is_blank_line(line) || is_rule(line)) {
      gap_ = true;
      ++at_;
      return;
    }
    if (const std::size_t level = heading_of(line); level > 0) {
      put(BlockKind::heading, at_);
      blocks_.back().level = level;
      const std::size_t text = std::min(line.find_first_not_of(" #"), line.size());
      blocks_.back().heading = heading_text(line.substr(text));
      return;
    }
    const Fence fence = fence_of(content_of(line), false);
    if (fence.mark != '\0') {
      put(BlockKind::fence, fence_end(fence));
    } else {
      take_text();
    }
  }

  std::size_t fence_end(const Fence& fence) const {
    const bool quoted = is_quoted(lines_[at_]);
    for (std::size_t line = at_ + 1; line < lines_.size(); ++line) {
      // A quotation's end is the end of all that stands in it.
      if (quoted && !is_quoted(lines_[line])) return line - 1;
      if (fence.closed_by(fence_of(content_of(lines_[line]), true))) return line;
    }
    return lines_.size() - 1;
  }

  void take_text() {
    if (at_ + 1 < lines_.size() && may_be_underlined(lines_[at_])) {
      constexpr std::size_t kShortest = 2;
      const std::string_view next = lines_[at_ + 1];
      const char mark = is_quoted(next) ? '\0' : underline_mark(next);
      if (mark != '\0' && base::trimmed(next).size() >= kShortest) {
        std::string text = heading_text(lines_[at_]);
        put(BlockKind::heading, at_ + 1);
        blocks_.back().level = mark == '=' ? 1 : 2;
        blocks_.back().heading = std::move(text);
        return;
      }
    }
    std::size_t last = at_;
    std::size_t dashes = is_table_dashes(lines_[at_]) ? lines_.size() : 0;
    while (last + 1 < lines_.size() && goes_on(lines_[last + 1])) {
      ++last;
      if (dashes == 0 && is_table_dashes(lines_[last])) dashes = last;
    }
    const bool table = dashes != 0 && dashes < lines_.size();
    put(table ? BlockKind::table : BlockKind::text, last);
    if (table) blocks_.back().table_head = dashes - 1;
  }

  [[nodiscard]] bool goes_on(std::string_view line) const {
    return !is_blank_line(line) && !is_rule(line) && heading_of(line) == 0 &&
           fence_of(content_of(line), false).mark == '\0';
  }

  static std::size_t heading_of(std::string_view line) {
    return line.size() > kHeadingBytesMax ? 0 : heading_level(line);
  }

  /// A block from here to `last`.
  void put(BlockKind kind, std::size_t last) {
    Block block;
    block.kind = kind;
    block.first = at_;
    block.last = last;
    block.gap = std::exchange(gap_, false);
    blocks_.push_back(std::move(block));
    at_ = last + 1;
  }

  const std::vector<std::string_view>& lines_;
  std::vector<Block> blocks_;
  std::size_t at_ = 0;
  bool gap_ = false;
};

/// Where the link's target behind the label that begins at `bracket` ends; npos if it is no link.
std::size_t link_end(std::string_view heading, std::size_t bracket) {
  const std::size_t label = heading.find("](", bracket);
  return label == std::string_view::npos ? label : heading.find(')', label);
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<Block> markdown_blocks(const std::vector<std::string_view>& lines) {
  return Reader(lines).run();
}

std::vector<Block> plain_blocks(const std::vector<std::string_view>& lines) {
  std::vector<Block> blocks;
  bool gap = false;
  bool open = false;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (is_blank_line(lines[line]) && blocks.size() < kBlocksMax) {
      gap = true;
      open = false;
      continue;
    }
    if (!open) {
      Block block;
      block.first = line;
      block.gap = std::exchange(gap, false);
      blocks.push_back(std::move(block));
    }
    open = true;
    blocks.back().last = line;
  }
  return blocks;
}

std::string heading_text(std::string_view heading) {
  heading = base::trimmed(heading);
  // Marks at the end: `## Heading ##`, `## Heading {#id}`.
  const std::size_t id = heading.rfind("{#");
  if (id != std::string_view::npos && heading.ends_with('}')) {
    heading = base::trimmed(heading.substr(0, id));
  }
  const std::size_t text_end = heading.find_last_not_of('#') + 1;
  if (text_end == 0 || heading[text_end - 1] == ' ') {
    heading = base::trimmed(heading.substr(0, text_end));
  }
  std::string text;
  bool in_link = false;
  for (std::size_t at = 0; at < heading.size();) {
    const char c = heading[at];
    if (c == '\\' && at + 1 < heading.size() && heading[at + 1] > ' ') {
      text += heading[at + 1];
      at += 2;
    } else if (c == '*' || c == '`') {
      ++at;
    } else if (c == '[' && link_end(heading, at) != std::string_view::npos) {
      at += 1;
      in_link = true;
    } else if (c == ']' && in_link) {
      at = link_end(heading, at) + 1;
      in_link = false;
    } else {
      text += c == '\t' ? ' ' : c;
      ++at;
    }
  }
  const std::string_view said = base::trimmed(text);
  return std::string(said.substr(0, base::utf8_boundary(said, kHeadingTextBytesMax)));
}

}  // namespace phasegate::rag
