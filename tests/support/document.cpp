#include "tests/support/document.h"

#include "base/text.h"

namespace phasegate::test {
namespace {

constexpr std::string_view kAnything = "…";

/// `text` holds the parts of `pattern` between its ellipses, in order, the first at its begin.
bool line_matches(std::string_view text, std::string_view pattern) {
  bool anywhere = false;
  while (true) {
    const std::size_t gap = pattern.find(kAnything);
    const std::string_view part = pattern.substr(0, gap);
    const bool last = gap == std::string_view::npos;
    const std::size_t at = anywhere && last ? text.rfind(part) : text.find(part);
    if (at == std::string_view::npos || (!anywhere && at != 0)) return false;
    text.remove_prefix(at + part.size());
    if (last) return text.empty();
    pattern.remove_prefix(gap + kAnything.size());
    anywhere = true;
  }
}

std::string_view trimmed_end(std::string_view line) {
  while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
  return line;
}

}  // namespace

std::vector<Block> blocks_of(std::string_view markdown) {
  constexpr std::string_view kFence = "```";
  std::vector<Block> blocks;
  std::string mark;
  bool inside = false;
  int number = 0;
  for (const std::string_view line : base::split(markdown, '\n')) {
    ++number;
    const std::string_view words = base::trimmed(line);
    if (words.starts_with(kFence)) {
      if (!inside) blocks.push_back({std::string(words.substr(kFence.size())), "", mark, number});
      inside = !inside;
      mark.clear();
    } else if (inside) {
      blocks.back().text += std::string(line) + "\n";
    } else if (words.starts_with("<!-- ") && words.ends_with(" -->")) {
      mark = words.substr(5, words.size() - 9);
    } else if (!words.empty()) {
      mark.clear();
    }
  }
  return blocks;
}

bool printed(std::string_view output, std::string_view expected, std::string& missing) {
  const auto lines = base::split(output, '\n');
  std::size_t next = 0;
  for (const std::string_view wanted : base::split(expected, '\n')) {
    const std::string_view line = trimmed_end(wanted);
    if (line.empty() || line == kAnything) continue;
    while (next < lines.size() && !line_matches(trimmed_end(lines[next]), line)) ++next;
    if (next == lines.size()) {
      missing = line;
      return false;
    }
    ++next;
  }
  return true;
}

}  // namespace phasegate::test
