#include "base/hash.h"

#include <array>
#include <cstdint>
#include <stdexcept>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace phasegate::base {
namespace {

// Fetched once: an implicit fetch on every call costs as much as hashing a short text.
const EVP_MD* sha256() {
  static const EVP_MD* const kMd = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  if (kMd == nullptr) throw std::runtime_error("this OpenSSL has no SHA-256");
  return kMd;
}

std::string to_hex(const std::array<unsigned char, EVP_MAX_MD_SIZE>& bytes, unsigned length) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  text.reserve(std::size_t{length} * 2);
  for (unsigned i = 0; i < length; ++i) {
    text += kHex[bytes[i] >> 4U];
    text += kHex[bytes[i] & 0x0FU];
  }
  return text;
}

void require(int result) {
  if (result != 1) throw std::runtime_error("hashing failed in libcrypto");
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned length = 0;
  require(EVP_Digest(bytes.data(), bytes.size(), out.data(), &length, sha256(), nullptr));
  return to_hex(out, length);
}

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  require(EVP_DigestInit_ex(state_->context, sha256(), nullptr));
}

Sha256::~Sha256() = default;

Sha256& Sha256::add(std::string_view bytes) {
  require(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()));
  return *this;
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned length = 0;
  require(EVP_DigestFinal_ex(state_->context, out.data(), &length));
  return to_hex(out, length);
}

Digest& Digest::add(std::string_view piece) {
  std::array<char, 8> size{};
  for (std::size_t i = 0; i < size.size(); ++i) {
    size[i] = static_cast<char>((static_cast<std::uint64_t>(piece.size()) >> (8 * i)) & 0xFFU);
  }
  whole_.add({size.data(), size.size()}).add(piece);
  return *this;
}

std::string Digest::hex() {
  return whole_.hex();
}

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned length = 0;
  if (HMAC(sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), out.data(),
           &length) == nullptr) {
    throw std::runtime_error("HMAC failed in libcrypto");
  }
  return {reinterpret_cast<const char*>(out.data()), length};
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace phasegate::base
