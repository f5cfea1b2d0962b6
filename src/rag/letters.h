#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace phasegate::rag {

/// What a character is where words divide between lower and upper case.
enum class Letter : std::uint8_t { none, lower, upper, other /* digits, letters without case */ };

enum class CharacterKind : std::uint8_t {
  letter,  ///< part of a run of letters and digits
  alone,   ///< a word by itself: of a script that is written without spaces
  silent,  ///< a combining mark or an invisible joiner, which does not divide a run
  other,   ///< anything else, ill-formed bytes too
};

/// One character beyond ASCII, as tokens hold it.
struct FoldedCharacter {
  CharacterKind kind = CharacterKind::other;
  Letter letter = Letter::none;
  std::size_t bytes = 1;  ///< of the character as written, at least 1

  [[nodiscard]] std::string_view folded() const { return {text.data(), size}; }

  static constexpr std::size_t kTextMax = 80;
  std::array<char, kTextMax> text{};
  std::size_t size = 0;
};

/// The first character of a text that does not begin with ASCII: full case folding, compatibility
/// decomposition, no marks; Hangul syllables and kana stay whole. Never fails: what is not UTF-8
/// is one byte of `other`. `utf8` is not empty.
[[nodiscard]] FoldedCharacter fold_character(std::string_view utf8);

struct AsciiLetter {
  char folded = '\0';
  Letter kind = Letter::none;
};

/// The same for ASCII; `_` is none.
inline constexpr std::array<AsciiLetter, 128> kAsciiLetters = [] {
  std::array<AsciiLetter, 128> table{};
  for (char c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = {c, Letter::other};
  for (char c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = {c, Letter::lower};
  for (char c = 'A'; c <= 'Z'; ++c) {
    table[static_cast<std::size_t>(c)] = {static_cast<char>(c - 'A' + 'a'), Letter::upper};
  }
  return table;
}();

}  // namespace phasegate::rag
