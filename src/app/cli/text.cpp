#include "app/cli/text.h"

#include <algorithm>

#include "base/text.h"

namespace phasegate::app::cli {

std::string shown(std::string_view text) {
  const std::string quoted = base::in_quotes(text);
  std::string out;
  out.reserve(quoted.size());
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    const bool escaped = quoted[i] == '\\' && (quoted[i + 1] == '"' || quoted[i + 1] == '\\');
    if (escaped) ++i;
    out += quoted[i];
  }
  return out;
}

std::string shown_short(std::string_view text, std::size_t bytes_max) {
  return base::shortened(shown(text), bytes_max);
}

std::string columns(const std::vector<std::vector<std::string>>& rows, std::size_t indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], base::utf8_length(row[i]));
    }
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      line.append(widths[i] - base::utf8_length(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string shell_word(std::string_view argument) {
  constexpr std::string_view kHarmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,";
  if (!argument.empty() && argument.find_first_not_of(kHarmless) == std::string_view::npos) {
    return std::string(argument);
  }
  std::string out = "'";
  for (const char c : argument) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + '\'';
}

}  // namespace phasegate::app::cli
