#include "app/cli/characters.h"

#include <algorithm>
#include <array>

namespace phasegate::app::cli {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr std::array kWide = {
    Range{0x1100, 0x115F},   Range{0x2E80, 0xA4CF},   Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},
    Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F}, Range{0x1F680, 0x1F6FF},
    Range{0x1F900, 0x1FAFF}, Range{0x20000, 0x3FFFD},
};
constexpr std::array kWithoutWidth = {Range{0x0300, 0x036F}, Range{0x200B, 0x200F},
                                      Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F}};
/// Format characters (Cf), private use (Co), and what else has nothing to be seen.
constexpr std::array kInvisible = {
    Range{0x00AD, 0x00AD},    Range{0x034F, 0x034F},   Range{0x0600, 0x0605},
    Range{0x061C, 0x061C},    Range{0x06DD, 0x06DD},   Range{0x070F, 0x070F},
    Range{0x0890, 0x0891},    Range{0x08E2, 0x08E2},   Range{0x115F, 0x1160},
    Range{0x17B4, 0x17B5},    Range{0x180B, 0x180F},   Range{0x200B, 0x200F},
    Range{0x202A, 0x202E},    Range{0x2060, 0x206F},   Range{0x3164, 0x3164},
    Range{0xE000, 0xF8FF},    Range{0xFE00, 0xFE0D},   Range{0xFEFF, 0xFEFF},
    Range{0xFFA0, 0xFFA0},    Range{0xFFF0, 0xFFFB},   Range{0xFFFE, 0xFFFF},
    Range{0x110BD, 0x110BD},  Range{0x110CD, 0x110CD}, Range{0x13430, 0x1343F},
    Range{0x1BCA0, 0x1BCA3},  Range{0x1D173, 0x1D17A}, Range{0xE0000, 0xE0FFF},
    Range{0xF0000, 0x10FFFF},
};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const Range& range) { return c >= range.first && c <= range.last; });
}

}  // namespace

Character character_at(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xC0) return {};
  const std::size_t bytes = lead < 0xE0 ? 2 : (lead < 0xF0 ? 3 : 4);
  if (bytes > text.size()) return {};
  char32_t c = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return {};
    c = (c << 6U) | (next & 0x3FU);
  }
  return {c, bytes};
}

bool is_invisible(char32_t c) {
  return c >= kInvisible.front().first && within(kInvisible, c);
}

std::size_t columns_of(char32_t c) {
  if (c < kWithoutWidth.front().first) return 1;
  if (within(kWithoutWidth, c)) return 0;
  return within(kWide, c) ? 2 : 1;
}

}  // namespace phasegate::app::cli
