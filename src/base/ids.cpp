#include "base/ids.h"

#include <array>
#include <cerrno>
#include <system_error>

#include <sys/random.h>

namespace phasegate::base {
namespace {

void fill_randomly(void* bytes, std::size_t count) {
  std::size_t filled = 0;
  while (filled < count) {
    const ssize_t got = getrandom(static_cast<char*>(bytes) + filled, count - filled, 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      throw std::system_error(errno, std::generic_category(), "getrandom");
    }
    filled += static_cast<std::size_t>(got);
  }
}

std::string format_uuid4(std::array<std::uint8_t, 16> bytes) {
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0FU) | 0x40U);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3FU) | 0x80U);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  text.reserve(36);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kHex[bytes[i] >> 4U];
    text += kHex[bytes[i] & 0x0FU];
  }
  return text;
}

}  // namespace

std::string SystemIdSource::new_id() {
  std::array<std::uint8_t, 16> bytes{};
  fill_randomly(bytes.data(), bytes.size());
  return format_uuid4(bytes);
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  fill_randomly(bytes.data(), bytes.size());
  return bytes;
}

std::string SeededIdSource::new_id() {
  std::array<std::uint8_t, 16> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    // splitmix64
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    bytes[i] = static_cast<std::uint8_t>((z ^ (z >> 31U)) & 0xFFU);
  }
  return format_uuid4(bytes);
}

bool is_id(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      if (c != '-') return false;
    } else if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
      return false;
    }
  }
  return text[14] == '4';
}

}  // namespace phasegate::base
