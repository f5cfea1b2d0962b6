#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace phasegate::base {
namespace {

struct Decoded {
  std::uint32_t code_point;
  std::size_t length;  // 0: ill-formed
};

Decoded decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return {first, 1};
  std::size_t length = 0;
  std::uint32_t value = 0;
  std::uint32_t smallest = 0;
  if ((first & 0xE0U) == 0xC0U) {
    length = 2;
    value = first & 0x1FU;
    smallest = 0x80;
  } else if ((first & 0xF0U) == 0xE0U) {
    length = 3;
    value = first & 0x0FU;
    smallest = 0x800;
  } else if ((first & 0xF8U) == 0xF0U) {
    length = 4;
    value = first & 0x07U;
    smallest = 0x10000;
  } else {
    return {0, 0};
  }
  if (at + length > text.size()) return {0, 0};
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return {0, 0};
    value = (value << 6U) | (byte(at + i) & 0x3FU);
  }
  if (value < smallest || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return {0, 0};
  return {value, length};
}

/// Characters that change how the text around them is shown.
bool is_deceptive(std::uint32_t c) {
  return (c >= 0x200E && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || (c >= 0x80 && c <= 0x9F) || c == 0x2028 || c == 0x2029;
}

/// Unicode's white space, control and format characters, and letters that are drawn as nothing.
bool is_invisible(std::uint32_t c) {
  struct Range {
    std::uint32_t from;
    std::uint32_t to;
  };
  static constexpr Range kRanges[] = {
      {0x0000, 0x0020},   {0x007F, 0x00A0},  {0x00AD, 0x00AD}, {0x034F, 0x034F}, {0x061C, 0x061C},
      {0x115F, 0x1160},   {0x1680, 0x1680},  {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x2000, 0x200F},
      {0x2028, 0x202F},   {0x205F, 0x206F},  {0x2800, 0x2800}, {0x3000, 0x3000}, {0x3164, 0x3164},
      {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},  {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x1D159, 0x1D159},
      {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
  return std::any_of(std::begin(kRanges), std::end(kRanges),
                     [c](const Range& range) { return range.from <= c && c <= range.to; });
}

constexpr std::size_t kNameCharsCompared = 64;

/// Letters put in, left out, exchanged or swapped with their neighbour.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t exchanged = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, exchanged});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

/// Lower-case words of a name: `srdMd-created` and `SRD_md_created` give srd, md, created.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  char before = '\0';
  for (const char c : name.substr(0, kNameCharsCompared)) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool letter = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                        static_cast<unsigned char>(c) >= 0x80;
    const bool hump = upper && before >= 'a' && before <= 'z';
    if (!letter || hump) {
      if (!words.back().empty()) words.emplace_back();
    }
    if (letter) words.back() += upper ? static_cast<char>(c - 'A' + 'a') : c;
    before = c;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// Words count as the same if equal, or if one begins with the other (requirement, requirements).
bool same_word(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const std::string& shorter = a.size() < b.size() ? a : b;
  const std::string& longer = a.size() < b.size() ? b : a;
  return shorter.size() >= 4 && longer.starts_with(shorter);
}

double word_overlap(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.empty() || b.empty()) return 0;
  std::vector<bool> used(b.size(), false);
  std::size_t common = 0;
  for (const std::string& word : a) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (!used[j] && same_word(word, b[j])) {
        used[j] = true;
        ++common;
        break;
      }
    }
  }
  return 2.0 * static_cast<double>(common) / static_cast<double>(a.size() + b.size());
}

}  // namespace

bool is_blank(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const Decoded c = decode(text, i);
    if (c.length == 0 || !is_invisible(c.code_point)) return false;
    i += c.length;
  }
  return true;
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const Decoded c = decode(text, i);
    std::array<char, 16> escape{};
    if (c.length == 0) {
      std::snprintf(escape.data(), escape.size(), "\\x%02x", static_cast<unsigned char>(text[i]));
      out += escape.data();
      ++i;
      continue;
    }
    if (c.code_point == '"' || c.code_point == '\\') {
      out += '\\';
      out += text[i];
    } else if (c.code_point == '\n') {
      out += "\\n";
    } else if (c.code_point == '\r') {
      out += "\\r";
    } else if (c.code_point == '\t') {
      out += "\\t";
    } else if (c.code_point < 0x20 || c.code_point == 0x7F || is_deceptive(c.code_point)) {
      std::snprintf(escape.data(), escape.size(), "\\u%04x", c.code_point);
      out += escape.data();
    } else {
      out += text.substr(i, c.length);
    }
    i += c.length;
  }
  return out + '"';
}

std::string with_visible_controls(std::string_view json_text) {
  std::string out;
  out.reserve(json_text.size());
  for (std::size_t i = 0; i < json_text.size();) {
    const Decoded c = decode(json_text, i);
    const std::size_t length = std::max<std::size_t>(1, c.length);
    if (c.length > 0 && (c.code_point == 0x7F || is_deceptive(c.code_point))) {
      std::array<char, 16> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", c.code_point);
      out += escape.data();
    } else {
      out += json_text.substr(i, length);
    }
    i += length;
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return std::string(text);
  constexpr std::string_view kMark = "…";
  const std::size_t room = bytes_max > kMark.size() ? bytes_max - kMark.size() : 0;
  return std::string(text.substr(0, utf8_boundary(text, room))) + std::string(kMark);
}

bool is_utf8(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080;
  for (std::size_t i = 0; i < text.size();) {
    // Texts are mostly ASCII, which is looked at eight bytes at a time.
    std::uint64_t word = kHighBits;
    if (i + sizeof word <= text.size()) std::memcpy(&word, text.data() + i, sizeof word);
    if ((word & kHighBits) == 0) {
      i += sizeof word;
      continue;
    }
    const Decoded c = decode(text, i);
    if (c.length == 0) return false;
    i += c.length;
  }
  return true;
}

std::string to_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    std::size_t plain = i;
    while (plain < text.size() && static_cast<unsigned char>(text[plain]) < 0x80) ++plain;
    out.append(text, i, plain - i);
    i = plain;
    if (i == text.size()) break;
    const Decoded c = decode(text, i);
    if (c.length == 0) {
      out += "\xEF\xBF\xBD";
      ++i;
    } else {
      out += text.substr(i, c.length);
      i += c.length;
    }
  }
  return out;
}

std::size_t utf8_boundary(std::string_view text, std::size_t n) {
  if (n >= text.size()) return text.size();
  while (n > 0 && (static_cast<unsigned char>(text[n]) & 0xC0U) == 0x80U) --n;
  return n;
}

std::size_t utf8_length(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) {
    i += std::max<std::size_t>(1, decode(text, i).length);
  }
  return count;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\f\v";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string joined(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::optional<std::string> nearest_name(std::string_view name,
                                        std::span<const std::string> candidates) {
  constexpr double kNearEnough = 0.5;
  const std::vector<std::string> words = words_of(name);
  std::string plain;
  for (const std::string& word : words) plain += word;
  if (plain.empty()) return std::nullopt;
  const std::string* best = nullptr;
  double best_score = 0;
  for (const std::string& candidate : candidates) {
    const std::vector<std::string> its_words = words_of(candidate);
    std::string its_plain;
    for (const std::string& word : its_words) its_plain += word;
    if (its_plain.empty()) continue;
    const double longest = static_cast<double>(std::max(plain.size(), its_plain.size()));
    const double letters = 1.0 - static_cast<double>(edit_distance(plain, its_plain)) / longest;
    // An edit distance beyond a third of the length says nothing; shared words still may.
    const double score =
        std::max(letters >= 2.0 / 3.0 ? letters : 0.0, word_overlap(words, its_words));
    if (score > best_score) {
      best_score = score;
      best = &candidate;
    }
  }
  if (best == nullptr || best_score < kNearEnough) return std::nullopt;
  return *best;
}

std::string counted(std::size_t n, std::string_view singular, std::string_view plural) {
  std::string out = std::to_string(n) + ' ';
  if (n == 1) return out.append(singular);
  if (plural.empty()) return out.append(singular) + 's';
  return out.append(plural);
}

std::string number_text(double value) {
  // The shortest text of a large whole number has an exponent, which nobody writes by hand.
  constexpr double kPlainMax = 1e15;
  std::array<char, 64> text{};
  const bool whole = std::floor(value) == value && std::fabs(value) < kPlainMax;
  const auto end = whole ? std::to_chars(text.data(), text.data() + text.size(),
                                         static_cast<std::int64_t>(value))
                         : std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

}  // namespace phasegate::base
