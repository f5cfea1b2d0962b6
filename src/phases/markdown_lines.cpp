#include "phases/markdown_lines.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "base/text.h"

namespace phasegate::phases {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Bytes from `at` to the end of the line, its end mark included.
std::size_t line_length(std::string_view text, std::size_t at) {
  // Two searches for one byte each are faster than one for either of two.
  const auto feed = std::min(text.find('\n', at), text.size());
  const auto end = std::min(text.substr(0, feed).find('\r', at), feed);
  if (end == text.size()) return text.size() - at;
  const bool pair = text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n';
  return end - at + (pair ? 2 : 1);
}

}  // namespace

// Front matter without an end is no front matter.
std::size_t content_begin(std::string_view text) {
  const std::size_t start = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const auto line_at = [&](std::size_t at) {
    return base::trimmed(text.substr(at, line_length(text, at)));
  };
  if (start >= text.size() || line_at(start) != "---") return start;
  std::size_t at = start + line_length(text, start);
  while (at < text.size()) {
    const std::string_view line = line_at(at);
    at += line_length(text, at);
    if (line == "---" || line == "...") return at;
  }
  return start;
}

std::vector<std::uint32_t> line_starts_of(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  for (std::size_t at = 0; at < text.size();) {
    at += line_length(text, at);
    starts.push_back(static_cast<std::uint32_t>(at));
  }
  return starts;
}

bool has_wide_table(std::string_view text) {
  constexpr std::string_view kDashes = "|-: \t>*+.)0123456789";
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, line_length(text, at));
    at += line.size();
    const std::string_view dashes = base::trimmed(line);
    const auto pipes = std::count(dashes.begin(), dashes.end(), '|');
    if (static_cast<std::size_t>(pipes) > base::limits::kTableColumnsMax &&
        dashes.find_first_not_of(kDashes) == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

std::string without_comments(std::string_view text) {
  struct Pair {
    std::string_view open;
    std::string_view close;
  };
  constexpr std::array kSilent = {Pair{"<!--", "-->"}, Pair{"<script", "</script>"},
                                  Pair{"<style", "</style>"}, Pair{"<pre", "</pre>"}};
  constexpr std::size_t kCodeIndent = 4;
  const auto opens = [](std::string_view here, std::string_view tag) {
    if (!here.starts_with(tag)) return false;
    const char behind = here.size() > tag.size() ? here[tag.size()] : '>';
    return tag == "<!--" || behind == '>' || behind == ' ' || behind == '\t' || behind == '\n' ||
           behind == '\r';
  };
  std::string said(text);
  std::string_view fence;
  std::array<std::size_t, kSilent.size()> never_closed{};
  never_closed.fill(std::string_view::npos);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = line_length(text, at);
    const std::string_view line = base::trimmed(text.substr(at, length));
    const std::size_t next = at + length;
    if (line.starts_with("```") || line.starts_with("~~~")) {
      const std::string_view mark = line.substr(0, 3);
      if (fence.empty()) {
        fence = mark;
      } else if (mark == fence) {
        fence = {};
      }
    }
    std::size_t skip_to = next;
    // Only what begins a line silences whole lines; within a line the parser knows what is code.
    const std::size_t indent = text.substr(at, length).find_first_not_of(' ');
    if (fence.empty() && indent != std::string_view::npos && indent < kCodeIndent) {
      for (std::size_t i = 0; i < kSilent.size(); ++i) {
        const std::size_t begin = at + indent;
        if (begin >= never_closed[i] || !opens(text.substr(begin), kSilent[i].open)) continue;
        const auto close = text.find(kSilent[i].close, begin);
        if (close == std::string_view::npos) {
          never_closed[i] = begin;
          continue;
        }
        const std::size_t end = close + kSilent[i].close.size();
        for (std::size_t c = begin; c < end; ++c) {
          if (said[c] != '\n' && said[c] != '\r') said[c] = ' ';
        }
        skip_to = end + line_length(text, end);
        break;
      }
    }
    at = skip_to;
  }
  return said;
}

}  // namespace phasegate::phases
