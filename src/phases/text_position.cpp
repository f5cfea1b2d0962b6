#include "phases/text_position.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace phasegate::phases {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

std::size_t unclear_line_break(std::string_view text) {
  for (const std::string_view mark : {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    if (const auto at = text.find(mark); at != std::string_view::npos) return at;
  }
  return std::string_view::npos;
}

std::string to_text(Position position) {
  return std::to_string(position.line) + ":" + std::to_string(position.column);
}

Position position_from(std::string_view text) {
  Position position;
  const char* end = text.data() + text.size();
  const auto line = std::from_chars(text.data(), end, position.line);
  if (line.ec != std::errc() || position.line < 1) return {};
  if (line.ptr == end || *line.ptr != ':') return position;
  const auto column = std::from_chars(line.ptr + 1, end, position.column);
  if (column.ec != std::errc() || position.column < 1) position.column = 1;
  return position;
}

ColumnFinder::ColumnFinder(std::string_view text) : text_(text), line_starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') line_starts_.push_back(i + 1);
  }
}

Position ColumnFinder::at(int line, int byte) {
  if (line < 0 || byte < 0 || static_cast<std::size_t>(line) >= line_starts_.size()) {
    return {std::max(line, 0) + 1, std::max(byte, 0) + 1};
  }
  // Going back within a line would make a long line cost its square; a byte is near enough then.
  if (line == last_line_ && byte < last_byte_) return {line + 1, byte + 1};
  if (line != last_line_) {
    last_line_ = line;
    last_byte_ = 0;
    last_column_ = 1;
  }
  const std::size_t start = line_starts_[static_cast<std::size_t>(line)];
  const std::size_t from = std::min(start + static_cast<std::size_t>(last_byte_), text_.size());
  const std::size_t to = std::min(start + static_cast<std::size_t>(byte), text_.size());
  last_column_ += static_cast<int>(base::utf8_length(text_.substr(from, to - from)));
  last_byte_ = byte;
  return {line + 1, last_column_};
}

Position position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line_end = before.rfind('\n');
  const std::string_view line =
      line_end == std::string_view::npos ? before : before.substr(line_end + 1);
  return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(base::utf8_length(line)) + 1};
}

base::Result<std::string> plain_text(std::string_view bytes, std::size_t bytes_max) {
  const auto refused = [&](std::string message, std::string hint, std::size_t at) {
    return base::Error{"unreadable_text", std::move(message), std::move(hint),
                       to_text(position_of(bytes, at))};
  };
  if (bytes.size() > bytes_max) {
    return refused("the file has " + std::to_string(bytes.size()) + " bytes, the limit is " +
                       std::to_string(bytes_max),
                   "split the workflow, or put long texts into files of their own", 0);
  }
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  if (!base::is_utf8(bytes)) {
    // What is well formed is copied as it is, so the first difference is the first ill-formed byte.
    const std::string mended = base::to_utf8(bytes);
    const auto [bad, unused] = std::mismatch(bytes.begin(), bytes.end(), mended.begin());
    const auto good = static_cast<std::size_t>(bad - bytes.begin());
    return refused("the file is not UTF-8", "save it as UTF-8", good);
  }
  if (const auto at = unclear_line_break(bytes); at != std::string_view::npos) {
    return refused("the file holds a character that only some programs take for the end of a line",
                   "end lines with a line feed, or write it as an escape", at);
  }
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto c = static_cast<unsigned char>(bytes[i]);
    if (c == '\r') {
      text += '\n';
      if (i + 1 < bytes.size() && bytes[i + 1] == '\n') ++i;
      continue;
    }
    if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7F) {
      return refused("the file holds a control character", "remove it, or write it as an escape",
                     i);
    }
    text += bytes[i];
  }
  return text;
}

}  // namespace phasegate::phases
