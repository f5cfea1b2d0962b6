#include "rag/chunker.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "rag/line_marks.h"

namespace phasegate::rag {
namespace {

/// How good it is to end a page before a line, best first.
enum class Break : std::uint8_t {
  heading,        // the line is a heading
  blank,          // the line before is blank
  line,           // any other line outside a fenced block
  after_heading,  // nothing but blank lines since a heading, which would be left behind
  fenced,         // within a fenced block
};
constexpr std::size_t kBreaks = 5;

/// Where pages may end, by quality; each list ascends.
using Breaks = std::array<std::vector<std::size_t>, kBreaks>;

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Breaks run() {
    for (std::size_t at = 0; at < text_.size();) {
      const std::string_view line = line_at(text_, at);
      const std::string_view next = line_at(text_, std::min(at + line.size(), text_.size()));
      take(at, line, next);
      at += line.size();
    }
    return std::move(breaks_);
  }

 private:
  void take(std::size_t at, std::string_view line, std::string_view next) {
    const std::string_view content = content_of(line);
    if (fence_.mark != '\0') {
      put(Break::fenced, at);
      if (fence_.closed_by(fence_of(content, true))) fence_ = {};
      before_ = Before::text;
      return;
    }
    const bool blank = is_blank_line(line);
    const bool underlined = !blank && before_ != Before::text && underline_mark(next) != '\0';
    const bool heading = heading_level(line) > 0 || underlined;
    if (heading) {
      put(Break::heading, at);
    } else if (before_ == Before::heading) {
      put(Break::after_heading, at);
    } else if (before_ == Before::blank && !blank) {
      put(Break::blank, at);
    } else {
      put(Break::line, at);
    }
    fence_ = fence_of(content, false);
    if (heading) {
      before_ = Before::heading;
    } else if (!blank) {
      // The line of = or - belongs to the heading above it.
      before_ = underline_follows_ ? Before::heading : Before::text;
    } else if (before_ == Before::text) {
      before_ = Before::blank;
    }
    underline_follows_ = underlined;
  }

  void put(Break quality, std::size_t at) {
    if (at > 0) breaks_[static_cast<std::size_t>(quality)].push_back(at);
  }

  enum class Before { blank, heading, text };

  std::string_view text_;
  Breaks breaks_;
  Fence fence_;
  Before before_ = Before::blank;
  bool underline_follows_ = false;
};

/// The last place after `from` and up to `to` in an ascending list; 0 if there is none.
std::size_t last_within(const std::vector<std::size_t>& places, std::size_t from, std::size_t to) {
  const auto above = std::upper_bound(places.begin(), places.end(), to);
  return above != places.begin() && *(above - 1) > from ? *(above - 1) : 0;
}

/// Where to cut a line that is longer than a page: after a space near the end, if there is one,
/// and never within a character or a CR LF.
std::size_t cut_within_line(std::string_view text, std::size_t start, std::size_t end) {
  const std::size_t tail = end - (end - start) / 4;
  const std::size_t space = text.substr(tail, end - tail).find_last_of(' ');
  if (space != std::string_view::npos) return tail + space + 1;
  std::size_t cut = end;
  // A character has at most three following bytes; more of them are no text, and any cut will do.
  for (int i = 0; i < 3 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U; ++i) --cut;
  if ((static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U || cut <= start) cut = end;
  if (text[cut] == '\n' && text[cut - 1] == '\r' && cut - 1 > start) --cut;
  return cut;
}

std::size_t page_end(std::string_view text, const Breaks& breaks, std::size_t start,
                     std::size_t bytes_max) {
  const std::size_t end = start + bytes_max;
  // A good place in the page's second half is better than a very good one that leaves it empty.
  for (const std::size_t from : {start + bytes_max / 2, start}) {
    for (const Break quality : {Break::heading, Break::blank, Break::line}) {
      const std::size_t at = last_within(breaks[static_cast<std::size_t>(quality)], from, end);
      if (at != 0) return at;
    }
  }
  for (const Break quality : {Break::after_heading, Break::fenced}) {
    const std::size_t at = last_within(breaks[static_cast<std::size_t>(quality)], start, end);
    if (at != 0) return at;
  }
  return cut_within_line(text, start, end);
}

}  // namespace

std::vector<std::string_view> split_pages(std::string_view markdown, std::size_t bytes_max) {
  bytes_max = std::max(bytes_max, kPageBytesMin);
  if (markdown.size() <= bytes_max) return {markdown};
  const Breaks breaks = Scanner(markdown).run();
  std::vector<std::string_view> pages;
  std::size_t start = 0;
  while (markdown.size() - start > bytes_max) {
    const std::size_t end = page_end(markdown, breaks, start, bytes_max);
    pages.push_back(markdown.substr(start, end - start));
    start = end;
  }
  pages.push_back(markdown.substr(start));
  return pages;
}

}  // namespace phasegate::rag
