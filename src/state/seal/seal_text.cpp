#include "state/seal/seal_text.h"

namespace phasegate::state {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr unsigned kBitsPerByte = 8;
constexpr unsigned kBytesOfNumber = 8;
constexpr std::size_t kRoom = 512;

}  // namespace

SealText::SealText(std::string_view kind, std::string_view database_id) {
  bytes_.reserve(kRoom);
  add("phasegate seal 1").add(kind).add(database_id);
}

void SealText::begin(char kind, std::uint64_t length) {
  bytes_ += kind;
  append_big_endian(bytes_, length);
}

SealText& SealText::add(std::string_view text) {
  begin('t', text.size());
  bytes_ += text;
  return *this;
}

SealText& SealText::add(std::int64_t number) {
  begin('i', static_cast<std::uint64_t>(number));
  return *this;
}

SealText& SealText::add_optional(const std::optional<std::string>& text) {
  if (text) return add(std::string_view(*text));
  begin('n', 0);
  return *this;
}

SealText& SealText::add_optional(const std::optional<std::int64_t>& number) {
  if (number) return add(*number);
  begin('n', 0);
  return *this;
}

void append_big_endian(std::string& bytes, std::uint64_t number) {
  for (unsigned i = kBytesOfNumber; i-- > 0;) {
    bytes += static_cast<char>((number >> (kBitsPerByte * i)) & 0xFFU);
  }
}

std::string to_hex(std::string_view bytes) {
  std::string digits;
  digits.reserve(bytes.size() * 2);
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    digits += kDigits[value >> 4U];
    digits += kDigits[value & 0x0FU];
  }
  return digits;
}

std::optional<std::string> from_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const std::size_t high = kDigits.find(digits[i]);
    const std::size_t low = kDigits.find(digits[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    bytes += static_cast<char>((high << 4U) | low);
  }
  return bytes;
}

}  // namespace phasegate::state
