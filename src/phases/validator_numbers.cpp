#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>

#include "phases/validators.h"

namespace phasegate::phases {

std::optional<double> word_number_from(std::string_view text) {
  std::string plain(text);
  if (const auto mark = plain.find('_'); mark != std::string::npos) plain[mark] = '.';
  return number_from(plain);
}

std::optional<double> number_from(std::string_view text) {
  const std::string plain(text);
  const std::size_t digits_at = plain.starts_with('-') ? 1 : 0;
  const bool shaped =
      plain.size() > digits_at && plain.size() <= 32 && plain.back() != '.' &&
      plain[digits_at] != '.' && std::count(plain.begin(), plain.end(), '.') <= 1 &&
      std::all_of(plain.begin() + static_cast<std::ptrdiff_t>(digits_at), plain.end(),
                  [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  // `010` is ten to one reader and eight to another.
  const bool octal =
      plain.size() > digits_at + 1 && plain[digits_at] == '0' && plain[digits_at + 1] != '.';
  if (!shaped || octal) return std::nullopt;
  double value = 0;
  const auto end = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (end.ec != std::errc() || end.ptr != plain.data() + plain.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> length_from(std::string_view text) {
  constexpr std::int64_t kLengthMax = 1'000'000'000;
  std::int64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end.ec != std::errc() || end.ptr != text.data() + text.size()) {
    return std::nullopt;
  }
  if (value < 0 || value > kLengthMax) return std::nullopt;
  return value;
}

}  // namespace phasegate::phases
