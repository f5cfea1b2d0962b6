#pragma once
#include <cstddef>
#include <string_view>

/// The single characters of a text that may hold anything.
namespace phasegate::app::cli {

/// A character at the beginning of a text. Bytes that are no UTF-8 are one each, as U+FFFD.
struct Character {
  char32_t code = 0xFFFD;
  std::size_t bytes = 1;
};
/// `text` must not be empty.
[[nodiscard]] Character character_at(std::string_view text);

/// True for a character without a look of its own: format characters, fillers, selectors, private
/// use. Two texts that differ only in them may look the same. The two selectors that choose between
/// the looks of an emoji are let through.
[[nodiscard]] bool is_invisible(char32_t c);

/// Columns that a terminal gives to it: 0, 1 or 2.
[[nodiscard]] std::size_t columns_of(char32_t c);

}  // namespace phasegate::app::cli
