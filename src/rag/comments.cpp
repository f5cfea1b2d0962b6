#include "rag/comments.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rag/line_marks.h"

namespace phasegate::rag {
namespace {

constexpr std::string_view kOpen = "<!--";
constexpr std::string_view kClose = "-->";
constexpr std::size_t kNone = std::string_view::npos;

/// Backticks side by side; `partner` is the next run of the same length, which ends a code span.
struct Ticks {
  std::size_t at = 0;
  std::size_t length = 0;
  std::size_t partner = kNone;
};

std::vector<Ticks> ticks_of(std::string_view text, std::size_t begin, std::size_t end) {
  std::vector<Ticks> all;
  text = text.substr(0, end);  // nothing behind is searched
  for (std::size_t at = text.find('`', begin); at < end; at = text.find('`', at)) {
    Ticks ticks{at, 0, kNone};
    while (at < end && text[at] == '`') ++at;
    ticks.length = at - ticks.at;
    all.push_back(ticks);
  }
  std::unordered_map<std::size_t, std::size_t> next;
  for (std::size_t i = all.size(); i-- > 0;) {
    const auto [found, is_new] = next.emplace(all[i].length, i);
    if (!is_new) all[i].partner = std::exchange(found->second, i);
  }
  return all;
}

class Remover {
 public:
  explicit Remover(std::string_view text) : text_(text) {}

  std::string run() {
    said_.reserve(text_.size());
    Fence fence;
    for (std::size_t at = 0; at < text_.size();) {
      const std::string_view line = line_at(text_, at);
      const std::string_view content = content_of(line);
      const bool in_fence = fence.mark != '\0';
      if (in_fence) {
        if (fence.closed_by(fence_of(content, true))) fence = {};
      } else {
        fence = fence_of(content, false);
      }
      if (in_fence || fence.mark != '\0' || is_blank_line(line)) {
        said_ += line;
        at += line.size();
      } else {
        at = take_paragraph(at, paragraph_end(at + line.size()));
      }
    }
    return std::move(said_);
  }

 private:
  [[nodiscard]] std::size_t paragraph_end(std::size_t at) const {
    while (at < text_.size()) {
      const std::string_view line = line_at(text_, at);
      if (is_blank_line(line) || fence_of(content_of(line), false).mark != '\0') break;
      at += line.size();
    }
    return at;
  }

  /// Writes what the lines from `begin` to `end` say; returns where to go on, which is further on
  /// if a comment is.
  std::size_t take_paragraph(std::size_t begin, std::size_t end) {
    std::size_t open = next_open(begin);
    if (open >= end) {
      said_ += text_.substr(begin, end - begin);
      return end;
    }
    const std::vector<Ticks> ticks = ticks_of(text_, begin, end);
    std::size_t tick = 0;
    std::size_t written = begin;
    std::size_t at = begin;
    for (; open < end; open = next_open(at)) {
      while (tick < ticks.size() && ticks[tick].at < at) ++tick;
      if (tick < ticks.size() && ticks[tick].at < open) {
        if (ticks[tick].partner != kNone) tick = ticks[tick].partner;
        at = ticks[tick].at + ticks[tick].length;
        continue;
      }
      // `<!-->` is a whole one.
      const std::size_t close = next_close(open + 2);
      const bool begins_line = is_line_begin(begin, open);
      if (close >= end && !begins_line) {
        at = open + kOpen.size();
        continue;
      }
      at = close == kNone ? text_.size() : close + kClose.size();
      said_ += text_.substr(written, open - written);
      const std::string_view comment = text_.substr(open, at - open);
      said_.append(static_cast<std::size_t>(std::count(comment.begin(), comment.end(), '\n')),
                   '\n');
      written = at;
    }
    if (written >= end) return written;
    said_ += text_.substr(written, end - written);
    return end;
  }

  /// True if only an indentation stands before `at`, in a paragraph that begins at `begin`.
  [[nodiscard]] bool is_line_begin(std::size_t begin, std::size_t at) const {
    constexpr std::size_t kIndentMax = 3;
    std::size_t indent = 0;
    while (at > begin && indent < kIndentMax && text_[at - 1] == ' ') --at, ++indent;
    return at == begin || text_[at - 1] == '\n';
  }

  // What is found once is not looked for again: places asked for only ascend.
  std::size_t next_open(std::size_t at) {
    if (!open_searched_ || open_ < at) open_ = text_.find(kOpen, at);
    open_searched_ = true;
    return open_;
  }
  std::size_t next_close(std::size_t at) {
    if (!close_searched_ || close_ < at) close_ = text_.find(kClose, at);
    close_searched_ = true;
    return close_;
  }

  std::string_view text_;
  std::string said_;
  std::size_t open_ = 0;
  std::size_t close_ = 0;
  bool open_searched_ = false;
  bool close_searched_ = false;
};

}  // namespace

std::string without_comments(std::string_view markdown) {
  if (markdown.find(kOpen) == std::string_view::npos) return std::string(markdown);
  return Remover(markdown).run();
}

}  // namespace phasegate::rag
