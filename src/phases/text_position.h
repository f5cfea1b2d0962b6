#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace phasegate::phases {

/// A place in a text, both from 1; columns count characters.
struct Position {
  int line = 1;
  int column = 1;
};

/// `12:7`.
[[nodiscard]] std::string to_text(Position position);
/// Reads what to_text wrote, also a line alone; 1:1 for anything else.
[[nodiscard]] Position position_from(std::string_view text);

/// Turns a line and a byte of it, both from 0, into a position. Asked in the order of the text it
/// takes linear time altogether. The text outlives the object.
class ColumnFinder {
 public:
  explicit ColumnFinder(std::string_view text);
  [[nodiscard]] Position at(int line, int byte);

 private:
  std::string_view text_;
  std::vector<std::size_t> line_starts_;
  int last_line_ = -1;
  int last_byte_ = 0;
  int last_column_ = 1;
};

/// The position of a byte. Linear in `offset`.
[[nodiscard]] Position position_of(std::string_view text, std::size_t offset);

/// Where a character stands that YAML 1.1 takes for the end of a line and YAML 1.2 does not (NEL,
/// LS, PS); npos if there is none. What follows it would be read by one program and not by another.
[[nodiscard]] std::size_t unclear_line_break(std::string_view text);

/// The text of a file that people edit: without a byte order mark, every line ended by one LF.
/// Refuses (`unreadable_text`, `where` is `line:column`) more than `bytes_max` bytes, what is not
/// UTF-8, and control characters.
[[nodiscard]] base::Result<std::string> plain_text(std::string_view bytes, std::size_t bytes_max);

}  // namespace phasegate::phases
