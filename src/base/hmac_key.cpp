#include "base/hmac_key.h"

#include <array>
#include <stdexcept>

#include <openssl/core_names.h>
#include <openssl/evp.h>

namespace phasegate::base {
namespace {

void require(bool holds) {
  if (!holds) throw std::runtime_error("HMAC failed in libcrypto");
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

struct HmacKey::State {
  EVP_MAC_CTX* context = nullptr;
  ~State() { EVP_MAC_CTX_free(context); }
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

HmacKey::HmacKey(std::string_view key) : state_(std::make_unique<State>()) {
  static EVP_MAC* const kHmac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  require(kHmac != nullptr);
  state_->context = EVP_MAC_CTX_new(kHmac);
  require(state_->context != nullptr);
  std::array<char, 7> digest{"SHA256"};
  const std::array<OSSL_PARAM, 2> parameters{
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
      OSSL_PARAM_construct_end()};
  require(EVP_MAC_init(state_->context, bytes_of(key), key.size(), parameters.data()) == 1);
}

HmacKey::HmacKey(HmacKey&&) noexcept = default;
HmacKey& HmacKey::operator=(HmacKey&&) noexcept = default;
HmacKey::~HmacKey() = default;

std::string HmacKey::sha256(std::string_view bytes) const {
  State copy;
  copy.context = EVP_MAC_CTX_dup(state_->context);
  require(copy.context != nullptr);
  require(EVP_MAC_update(copy.context, bytes_of(bytes), bytes.size()) == 1);
  std::array<unsigned char, 32> out{};
  std::size_t length = 0;
  require(EVP_MAC_final(copy.context, out.data(), &length, out.size()) == 1);
  return {reinterpret_cast<const char*>(out.data()), length};
}

}  // namespace phasegate::base
