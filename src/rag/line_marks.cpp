#include "rag/line_marks.h"

#include <algorithm>

namespace phasegate::rag {
namespace {

/// What stands behind the marker of a list's item; a fence may begin there.
std::string_view behind_list_marker(std::string_view content) {
  std::size_t marker = content.find_first_not_of("0123456789");
  if (marker == std::string_view::npos || marker > 9) return content;
  const char c = content[marker];
  const bool bullet = marker == 0 && (c == '-' || c == '*' || c == '+');
  const bool number = marker > 0 && (c == '.' || c == ')');
  if (!bullet && !number) return content;
  const std::size_t begin = content.find_first_not_of(" \t", ++marker);
  return begin == marker || begin == std::string_view::npos ? content : content.substr(begin);
}

}  // namespace

std::string_view content_of(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  const std::size_t begin = line.find_first_not_of(" \t>");
  return begin == std::string_view::npos ? std::string_view() : line.substr(begin);
}

bool is_blank_line(std::string_view line) {
  return line.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool is_quoted(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin != std::string_view::npos && line[begin] == '>';
}

Fence fence_of(std::string_view content, bool closing) {
  if (!closing) content = behind_list_marker(content);
  if (content.empty() || (content.front() != '`' && content.front() != '~')) return {};
  const char mark = content.front();
  const std::size_t length = std::min(content.find_first_not_of(mark), content.size());
  if (length < 3) return {};
  const std::string_view rest = content.substr(length);
  if (closing && !is_blank_line(rest)) return {};
  // ```inline code``` is no fence.
  if (mark == '`' && rest.find('`') != std::string_view::npos) return {};
  return {mark, length};
}

std::size_t heading_level(std::string_view line) {
  constexpr std::size_t kDeepest = 6;
  const std::size_t indent = line.find_first_not_of(' ');
  if (indent == std::string_view::npos || indent > 3 || line[indent] != '#') return 0;
  line.remove_prefix(indent);
  const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
  if (level > kDeepest) return 0;
  const bool ends = level == line.size() || line[level] == ' ' || line[level] == '\t' ||
                    line[level] == '\r' || line[level] == '\n';
  return ends ? level : 0;
}

char underline_mark(std::string_view line) {
  const std::string_view content = content_of(line);
  if (content.empty() || (content.front() != '=' && content.front() != '-')) return '\0';
  const std::size_t end = std::min(content.find_first_not_of(content.front()), content.size());
  return is_blank_line(content.substr(end)) ? content.front() : '\0';
}

std::string_view line_at(std::string_view text, std::size_t begin) {
  const std::size_t end = text.find('\n', begin);
  return text.substr(begin, end == std::string_view::npos ? end : end + 1 - begin);
}

}  // namespace phasegate::rag
