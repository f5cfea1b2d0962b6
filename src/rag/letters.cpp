#include "rag/letters.h"

#include <algorithm>

#include <utf8proc.h>

namespace phasegate::rag {
namespace {

struct Range {
  utf8proc_int32_t first;
  utf8proc_int32_t last;
};

constexpr Range kHangul = {0xAC00, 0xD7A3};
constexpr Range kKana = {0x3040, 0x30FF};

/// Scripts that are written without spaces between words, or in which words carry their particles.
constexpr Range kUnspaced[] = {
    {0x0E00, 0x0EFF},  // Thai, Lao
    {0x1000, 0x109F},  // Burmese
    {0x1780, 0x17FF},  // Khmer
    {0x3005, 0x3007},  // ideographic iteration marks, zero
    kKana,
    {0x3100, 0x312F},  // Bopomofo
    {0x31F0, 0x31FF},  // small katakana
    {0x3400, 0x4DBF},  // ideographs
    {0x4E00, 0x9FFF},
    kHangul,
    {0xF900, 0xFAFF},
    {0x20000, 0x3FFFF},
};

bool within(Range range, utf8proc_int32_t code) {
  return code >= range.first && code <= range.last;
}

bool is_unspaced(utf8proc_int32_t code) {
  return std::any_of(std::begin(kUnspaced), std::end(kUnspaced),
                     [&](Range range) { return within(range, code); });
}

bool is_letter(utf8proc_category_t category) {
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}
bool is_number(utf8proc_category_t category) {
  return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}
bool is_mark(utf8proc_category_t category) {
  return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

Letter case_of(utf8proc_category_t category) {
  if (category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT) return Letter::upper;
  return category == UTF8PROC_CATEGORY_LL ? Letter::lower : Letter::other;
}

void append(FoldedCharacter& to, utf8proc_int32_t code) {
  constexpr std::size_t kLongest = 4;
  if (to.size + kLongest > FoldedCharacter::kTextMax) return;
  auto* end = reinterpret_cast<utf8proc_uint8_t*>(to.text.data() + to.size);
  to.size += static_cast<std::size_t>(utf8proc_encode_char(code, end));
}

}  // namespace

FoldedCharacter fold_character(std::string_view utf8) {
  constexpr utf8proc_int32_t kZeroWidthSpace = 0x200B;
  constexpr std::size_t kPartsMax = 20;  // the longest decomposition has 18
  FoldedCharacter folded;
  utf8proc_int32_t code = 0;
  const utf8proc_ssize_t length =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(utf8.data()),
                       static_cast<utf8proc_ssize_t>(std::min<std::size_t>(utf8.size(), 4)), &code);
  if (length <= 0) return folded;
  folded.bytes = static_cast<std::size_t>(length);
  const utf8proc_category_t category = utf8proc_category(code);
  if (is_mark(category) || (category == UTF8PROC_CATEGORY_CF && code != kZeroWidthSpace)) {
    folded.kind = CharacterKind::silent;
    return folded;
  }
  if (!is_letter(category) && !is_number(category)) return folded;
  folded.letter = case_of(category);
  if (within(kHangul, code) || within(kKana, code)) {
    // Decomposed, a syllable would fall apart and a kana would lose its sound.
    append(folded, code);
    folded.kind = CharacterKind::alone;
    return folded;
  }
  std::array<utf8proc_int32_t, kPartsMax> parts{};
  int boundary = UTF8PROC_BOUNDCLASS_START;
  const utf8proc_ssize_t count = utf8proc_decompose_char(
      code, parts.data(), static_cast<utf8proc_ssize_t>(parts.size()),
      static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD |
                                     UTF8PROC_IGNORE | UTF8PROC_STRIPMARK),
      &boundary);
  if (count < 0 || count > static_cast<utf8proc_ssize_t>(parts.size())) return folded;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const utf8proc_category_t part = utf8proc_category(parts[i]);
    if (is_letter(part) || is_number(part)) {
      append(folded, parts[i]);
    } else if (is_number(category)) {
      return folded;  // ½ is neither 1 2 nor 12
    }
  }
  folded.kind = folded.size == 0        ? CharacterKind::silent
                : is_unspaced(parts[0]) ? CharacterKind::alone
                                        : CharacterKind::letter;
  return folded;
}

}  // namespace phasegate::rag
