#include "app/cli/layout.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/cli/characters.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

/// Less than this beside the first column of `definitions` cannot be read.
constexpr std::size_t kTextWidthMin = 24;

/// A character, or a colour code, at the beginning of a text.
struct Piece {
  std::size_t bytes = 1;
  std::size_t columns = 1;
};

Piece piece_at(std::string_view text) {
  if (text.starts_with("\x1b[")) {
    const std::size_t end = text.find_first_not_of("0123456789;", 2);
    if (end != std::string_view::npos && text[end] == 'm') return {end + 1, 0};
  }
  const Character character = character_at(text);
  return {character.bytes, columns_of(character.code)};
}

/// The beginning of `text` that fits into `width` columns.
Piece beginning_that_fits(std::string_view text, std::size_t width) {
  Piece fit{0, 0};
  while (fit.bytes < text.size()) {
    const Piece piece = piece_at(text.substr(fit.bytes));
    if (fit.columns + piece.columns > width) break;
    fit.bytes += piece.bytes;
    fit.columns += piece.columns;
  }
  return fit;
}

std::size_t total_width(const std::vector<std::size_t>& widths) {
  std::size_t total = 0;
  for (const std::size_t width : widths) total += width == 0 ? 0 : width + 2;
  return total == 0 ? 0 : total - 2;
}

/// Natural widths, cut down and left out (0) until they fit.
std::vector<std::size_t> widths_of(const std::vector<Column>& columns,
                                   const std::vector<std::vector<std::string>>& rows,
                                   std::size_t width) {
  std::vector<std::size_t> widths(columns.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (widths[i] > 0) widths[i] = std::max(widths[i], display_width(columns[i].title));
  }
  const std::vector<std::size_t> natural = widths;
  const auto shrink = [&] {
    for (std::size_t i = columns.size(); i-- > 0 && total_width(widths) > width;) {
      if (columns[i].width_min == 0 || widths[i] <= columns[i].width_min) continue;
      const std::size_t excess = total_width(widths) - width;
      widths[i] = std::max(columns[i].width_min, widths[i] - std::min(widths[i], excess));
    }
  };
  shrink();
  while (total_width(widths) > width) {
    std::size_t worst = columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].spare == 0 || widths[i] == 0) continue;
      if (worst == columns.size() || columns[i].spare < columns[worst].spare) worst = i;
    }
    if (worst == columns.size()) break;
    widths[worst] = 0;
    // What was cut down for the column that is gone now may have its room.
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] > 0) widths[i] = natural[i];
    }
    shrink();
  }
  return widths;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Piece piece = piece_at(text);
    columns += piece.columns;
    text.remove_prefix(piece.bytes);
  }
  return columns;
}

std::string fitted(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::string plain;
  while (!text.empty()) {
    const Piece piece = piece_at(text);
    if (text.front() != '\x1b') plain += text.substr(0, piece.bytes);
    text.remove_prefix(piece.bytes);
  }
  if (width == 0) return "";
  return plain.substr(0, beginning_that_fits(plain, width - 1).bytes) + "…";
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t first, std::size_t rest) {
  std::string out;
  std::string line(first, ' ');
  std::size_t used = first;
  bool blank = true;  // nothing but the indent stands on the line
  const auto end_line = [&] {
    out += line + '\n';
    line.assign(rest, ' ');
    used = rest;
    blank = true;
  };
  std::size_t gap = 0;  // spaces before the next word; kept within a line
  for (std::string_view word : base::split(text, ' ')) {
    if (word.empty()) {
      ++gap;
      continue;
    }
    // What is left of the word is not measured again for each of its lines.
    std::size_t left = display_width(word);
    if (!blank && used + gap + left > width) end_line();
    if (!blank) {
      line.append(gap, ' ');
      used += gap;
    }
    while (used + left > width) {
      Piece fit = beginning_that_fits(word, width > used ? width - used : 1);
      if (fit.bytes == 0) fit = piece_at(word);
      line += word.substr(0, fit.bytes);
      word.remove_prefix(fit.bytes);
      left -= fit.columns;
      if (word.empty()) break;
      end_line();
    }
    line += word;
    used += left;
    blank = false;
    gap = 1;
  }
  if (!blank) out += line + '\n';
  return out;
}

std::string table(const std::vector<Column>& columns,
                  const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  const std::vector<std::size_t> widths = widths_of(columns, rows, width);
  std::string out;
  const auto add = [&](const auto& cell_of) {
    std::string line;
    std::size_t padding = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (widths[i] == 0) continue;
      const std::string cell = fitted(cell_of(i), widths[i]);
      line.append(padding, ' ').append(cell);
      padding = widths[i] - display_width(cell) + 2;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  add([&](std::size_t i) { return columns[i].title; });
  for (const auto& row : rows) {
    add([&](std::size_t i) { return i < row.size() ? row[i] : std::string(); });
  }
  return out;
}

std::string definitions(const std::vector<std::pair<std::string, std::string>>& entries,
                        std::size_t indent, std::size_t width) {
  std::size_t names = 0;
  for (const auto& [name, text] : entries) names = std::max(names, display_width(name));
  const std::size_t beside = indent + names + 2;
  const bool below = beside + kTextWidthMin > width &&
                     std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
                       return width < beside + display_width(entry.second);
                     });
  std::string out;
  for (const auto& [name, text] : entries) {
    if (below) {
      out +=
          wrapped(name, width, indent, indent + 2) + wrapped(text, width, indent + 2, indent + 2);
      continue;
    }
    std::string body = wrapped(text, width, beside, beside);
    const std::string head =
        std::string(indent, ' ') + name + std::string(names - display_width(name), ' ') + "  ";
    out += body.empty() ? std::string(indent, ' ') + name + "\n" : head + body.substr(beside);
  }
  return out;
}

}  // namespace phasegate::app::cli
