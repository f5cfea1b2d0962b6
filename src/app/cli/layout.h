#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Text laid out for a width. Colour codes (style.h) take no room in it.
namespace phasegate::app::cli {

/// Columns that `text` takes on a terminal: wide characters take two, combining ones none.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// `text` cut to at most `width` columns, with `…` if anything was cut. Colour codes do not survive
/// a cut.
[[nodiscard]] std::string fitted(std::string_view text, std::size_t width);

/// `text` on lines of at most `width` columns, broken at spaces, or within a word that is longer
/// than a line; several spaces stay within a line. The first line begins with `first` spaces, the
/// others with `rest`. Ends with a line break; empty for an empty text.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t first,
                                  std::size_t rest);

/// A column of a table: what happens to it where there is too little room.
struct Column {
  std::string title;
  /// The columns with the lowest number are left out first; 0: never.
  int spare = 0;
  /// May be cut down to so many columns before any column is left out; 0: not at all.
  std::size_t width_min = 0;
};

/// Rows below their titles, two spaces apart, in at most `width` columns as far as that can be
/// done. Cells are printed as they are; empty columns are left out.
[[nodiscard]] std::string table(const std::vector<Column>& columns,
                                const std::vector<std::vector<std::string>>& rows,
                                std::size_t width);

/// Two columns, the second wrapped beside the first; below it where there is too little room.
[[nodiscard]] std::string definitions(
    const std::vector<std::pair<std::string, std::string>>& entries, std::size_t indent,
    std::size_t width);

}  // namespace phasegate::app::cli
