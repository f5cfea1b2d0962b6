#include "rag/passages.h"

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "phases/markdown_lines.h"
#include "rag/block_parts.h"
#include "rag/blocks.h"
#include "rag/comments.h"
#include "rag/document_labels.h"

namespace phasegate::rag {
namespace {

constexpr std::size_t kBytesPerToken = 4;
/// Text without blank lines that is longer is divided between its lines.
constexpr std::size_t kTextTokensMost = 500;
constexpr std::size_t kTitleBytesMost = 1000;

std::size_t tokens_of(std::size_t bytes) {
  return (bytes + kBytesPerToken - 1) / kBytesPerToken;
}

/// A heading and what follows up to the next one. The first has no heading; it is above all others.
struct Section {
  std::size_t above = 0;  // the section that this one stands in; 0 for the first
  std::size_t depth = 0;  // headings from the top on, its own included
  std::size_t level = 0;
  std::string heading;
};

/// A block or a part of one: what is never divided further.
struct Unit {
  std::size_t section = 0;
  bool heading = false;
  bool gap = false;  // a blank line stands before it
  BlockPart part;
};

/// Units that become a passage, if they say anything.
struct Piece {
  std::size_t section = 0;  // that of the first unit
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t tokens = 0;  // without headings
  std::size_t bytes = 0;
};

struct Outline {
  std::vector<Section> sections{Section{}};
  std::vector<Unit> units;
};

Outline outline_of(const std::vector<Block>& blocks, const std::vector<std::string_view>& lines,
                   PassageSizes sizes) {
  Outline outline;
  std::size_t current = 0;
  for (const Block& block : blocks) {
    const bool heading = block.kind == BlockKind::heading;
    if (heading) {
      std::size_t above = current;
      while (above != 0 && outline.sections[above].level >= block.level) {
        above = outline.sections[above].above;
      }
      const std::size_t depth = outline.sections[above].depth + 1;
      current = outline.sections.size();
      outline.sections.push_back({above, depth, block.level, block.heading});
    }
    const bool whole = heading || block.kind == BlockKind::fence || block.kind == BlockKind::table;
    std::size_t bytes_max = base::limits::kPassageBytesMost;
    if (!whole) {
      std::size_t bytes = 0;
      for (std::size_t i = block.first; i <= block.last; ++i) bytes += lines[i].size() + 1;
      if (bytes > kTextTokensMost * kBytesPerToken) bytes_max = sizes.most * kBytesPerToken;
    }
    bool gap = block.gap;
    for (BlockPart& part : parts_of(block, lines, bytes_max)) {
      outline.units.push_back({current, heading, gap, std::move(part)});
      gap = false;
    }
  }
  return outline;
}

/// Each section as one piece, or as several of at most `most` tokens (more if a unit has more).
std::vector<Piece> pieces_of(const Outline& outline, std::size_t most) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < outline.units.size(); ++i) {
    const Unit& unit = outline.units[i];
    const std::size_t bytes = unit.part.text.size();
    const std::size_t tokens = unit.heading ? 0 : tokens_of(bytes);
    const bool begins = pieces.empty() || unit.heading ||
                        (pieces.back().tokens > 0 && pieces.back().tokens + tokens > most);
    if (begins) {
      pieces.push_back({unit.section, i, i, tokens, bytes});
    } else {
      Piece& piece = pieces.back();
      piece.last = i;
      piece.tokens += tokens;
      piece.bytes += bytes;
    }
  }
  return pieces;
}

/// True if what stands in `later` belongs to what is said in `earlier`: the same section, one
/// within it, or the next one to it in a section that is not the whole document.
bool belong_together(const Outline& outline, std::size_t earlier, std::size_t later) {
  constexpr std::size_t kSiblingDepthLeast = 3;
  const std::vector<Section>& sections = outline.sections;
  if (earlier != 0 && later != 0 && sections[earlier].above == sections[later].above &&
      sections[earlier].depth >= kSiblingDepthLeast) {
    return true;
  }
  while (later != earlier && later != 0) later = sections[later].above;
  return later == earlier;
}

/// Puts short pieces together with the one before them.
std::vector<Piece> merged(const Outline& outline, const std::vector<Piece>& pieces,
                          PassageSizes sizes) {
  std::vector<Piece> out;
  for (const Piece& piece : pieces) {
    if (!out.empty() && piece.tokens > 0) {
      Piece& before = out.back();
      const bool small = before.tokens < sizes.least || piece.tokens < sizes.least;
      if (small && before.tokens + piece.tokens <= sizes.together &&
          before.bytes + piece.bytes <= base::limits::kPassageBytesMost &&
          belong_together(outline, before.section, piece.section)) {
        before.last = piece.last;
        before.tokens += piece.tokens;
        before.bytes += piece.bytes;
        continue;
      }
    }
    out.push_back(piece);
  }
  return out;
}

std::string path_of(const Outline& outline, std::size_t section, std::string_view above_all) {
  std::vector<std::string> headings;
  if (section == 0) return {};
  for (std::size_t at = outline.sections[section].above; at != 0; at = outline.sections[at].above) {
    headings.push_back(outline.sections[at].heading);
  }
  if (!above_all.empty()) headings.emplace_back(above_all);
  std::erase_if(headings, [](const std::string& heading) { return heading.empty(); });
  std::reverse(headings.begin(), headings.end());
  return base::joined(headings, " > ");
}

std::string title_of(const Outline& outline, const Piece& piece, std::string_view document) {
  std::string title(piece.section == 0 ? document : outline.sections[piece.section].heading);
  const std::string own = title;
  for (std::size_t i = piece.first; i <= piece.last; ++i) {
    const Unit& unit = outline.units[i];
    if (!unit.heading || unit.section == piece.section) continue;
    const std::string& heading = outline.sections[unit.section].heading;
    if (heading.empty() || heading == own) continue;
    if (title.size() + heading.size() + 3 > kTitleBytesMost) break;
    if (!title.empty()) title += " / ";
    title += heading;
  }
  return title;
}

Passage passage_of(const Outline& outline, const Piece& piece) {
  Passage passage;
  for (std::size_t i = piece.first; i <= piece.last; ++i) {
    const Unit& unit = outline.units[i];
    if (i > piece.first) passage.content += unit.gap ? "\n\n" : "\n";
    passage.content += unit.part.text;
  }
  passage.line_first = outline.units[piece.first].part.first + 1;
  passage.line_last = outline.units[piece.last].part.last + 1;
  passage.tokens = tokens_of(passage.content.size());
  return passage;
}

/// The text with LF at the end of every line, and UTF-8.
std::string normalised(std::string_view text) {
  std::string out = base::is_utf8(text) ? std::string(text) : base::to_utf8(text);
  if (out.find('\r') == std::string::npos) return out;
  std::size_t end = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] == '\r' && i + 1 < out.size() && out[i + 1] == '\n') continue;
    out[end++] = out[i] == '\r' ? '\n' : out[i];
  }
  out.resize(end);
  return out;
}

/// Takes a byte order mark away, and makes the lines of front matter empty.
void take_away_head(std::string& text, bool markdown) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const std::size_t mark = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const std::size_t end = markdown ? phases::content_begin(text) : mark;
  const auto lines =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  text.replace(0, end, static_cast<std::size_t>(lines), '\n');
}

}  // namespace

DocumentPassages read_passages(std::string_view path, std::string_view text, PassageSizes sizes) {
  const bool markdown = is_markdown(path);
  std::string said = normalised(text);
  DocumentLabels labels = labels_of(path, said, markdown);
  take_away_head(said, markdown);
  if (markdown) said = without_comments(said);
  const std::vector<std::string_view> lines = lines_of(said);
  const std::vector<Block> blocks = markdown ? markdown_blocks(lines) : plain_blocks(lines);

  DocumentPassages document;
  document.title = labels.title;
  document.phase = std::move(labels.phase);
  document.tags = std::move(labels.tags);
  const auto top = std::find_if(blocks.begin(), blocks.end(), [](const Block& block) {
    return block.kind == BlockKind::heading && block.level == 1 && !block.heading.empty();
  });
  if (document.title.empty()) {
    document.title = top != blocks.end() ? top->heading : words_of_name(path);
  }
  // Where the document itself does not say its title, the front matter does.
  const std::string above_all = top == blocks.end() ? labels.title : std::string();

  const Outline outline = outline_of(blocks, lines, sizes);
  for (const Piece& piece : merged(outline, pieces_of(outline, sizes.most), sizes)) {
    if (piece.tokens == 0) continue;  // a heading without text
    Passage passage = passage_of(outline, piece);
    passage.title = title_of(outline, piece, document.title);
    passage.path = path_of(outline, piece.section, above_all);
    document.passages.push_back(std::move(passage));
  }
  return document;
}

PassageFields fields_of(std::string_view file, std::string_view title, std::string_view path,
                        std::string_view content) {
  PassageFields fields;
  fields.of(Field::title) = title;
  fields.of(Field::path) = std::string(path) + ' ' + words_of_path(file);
  const std::vector<std::string_view> lines = lines_of(content);
  const bool markdown = is_markdown(file);
  for (const Block& block : markdown ? markdown_blocks(lines) : plain_blocks(lines)) {
    if (block.kind == BlockKind::heading) continue;
    const bool code = block.kind == BlockKind::fence;
    std::string& into = fields.of(code ? Field::code : Field::text);
    // The marks around code hold no letters; what is said behind the first ones is its language.
    for (std::size_t i = block.first + (code ? 1 : 0); i <= block.last; ++i) {
      into += lines[i];
      into += '\n';
    }
  }
  return fields;
}

PassageFields fields_of(std::string_view file, const Passage& passage) {
  return fields_of(file, passage.title, passage.path, passage.content);
}

}  // namespace phasegate::rag
