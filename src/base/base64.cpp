#include "base/base64.h"

#include <algorithm>

#include <openssl/evp.h>

namespace phasegate::base {
namespace {

constexpr std::size_t kGroupBytes = 3;
constexpr std::size_t kGroupChars = 4;

const unsigned char* as_bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

std::string base64(std::string_view bytes) {
  // One more for the NUL that libcrypto writes behind the text.
  std::string text((bytes.size() + 2) / kGroupBytes * kGroupChars + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), as_bytes(bytes),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % kGroupChars != 0) return std::nullopt;
  std::string bytes(text.size() / kGroupChars * kGroupBytes, '\0');
  if (EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), as_bytes(text),
                      static_cast<int>(text.size())) < 0) {
    return std::nullopt;
  }
  // libcrypto counts the padding as bytes of zero, passes over blanks and ignores spare bits: only
  // what would be written the same way again counts.
  const auto padding = static_cast<std::size_t>(std::count(text.begin(), text.end(), '='));
  if (padding > 2) return std::nullopt;
  bytes.resize(bytes.size() - padding);
  if (base64(bytes) != text) return std::nullopt;
  return bytes;
}

std::string base64url(std::string_view bytes) {
  std::string text = base64(bytes);
  while (text.ends_with('=')) text.pop_back();
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
  if (text.find_first_of("+/=") != std::string_view::npos) return std::nullopt;
  std::string standard(text);
  std::replace(standard.begin(), standard.end(), '-', '+');
  std::replace(standard.begin(), standard.end(), '_', '/');
  while (standard.size() % kGroupChars != 0) standard += '=';
  return from_base64(standard);
}

}  // namespace phasegate::base
