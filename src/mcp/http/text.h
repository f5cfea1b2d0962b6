#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

/// The alphabet of HTTP (RFC 9110 §5.5, §5.6), independent of any locale.
namespace phasegate::mcp::http {

[[nodiscard]] constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

[[nodiscard]] constexpr bool is_token_char(char c) {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') ||
         others.find(c) != std::string_view::npos;
}

/// True for what a field's value may hold: no control character but the tabulator.
[[nodiscard]] constexpr bool is_value_char(char c) {
  return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

[[nodiscard]] constexpr bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

[[nodiscard]] constexpr bool is_value(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_value_char);
}

[[nodiscard]] constexpr bool equal_without_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

/// Without the blanks around it.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The value of a hexadecimal digit.
[[nodiscard]] constexpr std::optional<unsigned> hex_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (lower(c) >= 'a' && lower(c) <= 'f') return static_cast<unsigned>(lower(c) - 'a') + 10U;
  return std::nullopt;
}

/// A size as hexadecimal digits.
[[nodiscard]] inline std::string to_hex(std::size_t size) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[size % 16]);
    size /= 16;
  } while (size > 0);
  return digits;
}

}  // namespace phasegate::mcp::http
