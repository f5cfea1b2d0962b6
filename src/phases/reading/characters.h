#pragma once
#include <array>
#include <string_view>

/// What the readers of headings and of quantities share.
namespace phasegate::phases {

[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
/// An ASCII letter.
[[nodiscard]] constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// `one` to `ten`, in their order.
inline constexpr std::array<std::string_view, 10> kNumberWords = {
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};

}  // namespace phasegate::phases
